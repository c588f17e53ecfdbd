// All tasks of the workshop: `npx gulp --tasks`. The scripts of package.json are those used most.
// A task hands the flags behind its name on to its program: `npx gulp worlds --tier faults --seed 7`.
const { rm } = require('node:fs/promises');
const { dest, parallel, series, src, task, watch } = require('gulp');
const ts = require('typescript');

// The modes of files are part of the tarball: the same source makes the same bytes on every machine.
process.umask(0o022);

/** Compiles with tsconfig.json, and stops the build if the compiler reports anything. */
async function compile() {
	const host = {
		...ts.sys,
		onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
			throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'));
		},
	};
	const config = ts.getParsedCommandLineOfConfigFile('tsconfig.json', {}, host);
	const program = ts.createProgram(config.fileNames, config.options);
	const diagnostics = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
	if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, formatHost));
}

const formatHost = {
	getCanonicalFileName: (name) => name,
	getCurrentDirectory: () => process.cwd(),
	getNewLine: () => '\n',
};

const clean = async () => await rm('dist', { recursive: true, force: true });
clean.displayName = 'clean';

const assets = () =>
	src(['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));
assets.displayName = 'assets';

const [called, ...flags] = process.argv.slice(2);

/** Names a task, and says in `npx gulp --tasks` what it is for. */
const define = (name, description, action) =>
	task(Object.assign(action, { displayName: name, description }));

/** A task that runs a program of node_modules/.bin, in the environment of this one and `env`. */
function program(name, description, [command, ...args], env = {}) {
	define(name, description, async () => {
		const { run } = await import('./dev/n8n/install.mjs');
		const given = name === called ? flags : [];
		const options = { cwd: __dirname, env: { ...process.env, ...env } };
		await run(`${__dirname}/node_modules/.bin/${command}`, [...args, ...given], options);
	});
}

const script = (name, description, file) => program(name, description, ['tsx', file]);
const tests = (name, description, [project, ...args], env) =>
	program(name, description, ['jest', '--selectProjects', project, ...args], env);

define('build', 'Compiles what ships to dist/', series(clean, parallel(compile, assets)));
define('watch', 'Builds again after each change', () =>
	watch(['nodes', 'credentials', 'icons'], { ignoreInitial: false }, task('build')),
);

program('lint:n8n', "n8n's linter, in strict mode", ['n8n-node', 'lint'], {
	ESLINT_FLAGS: 'v10_config_lookup_from_file',
});
program('lint:types', 'Types of what ships', ['tsc', '--noEmit']);
program('lint:dev', 'Types of everything', ['tsc', '--project', 'dev']);
program('lint:format', 'Formatting', ['prettier', '--check', '--log-level', 'warn', '.']);
define('lint', 'All four', series('lint:n8n', 'lint:types', 'lint:dev', 'lint:format'));

tests('test:repo', 'The examples, the pages, the imports, the package, dev/', ['repo']);
tests('test:e2e', 'The real n8n and a browser', ['e2e', '--runInBand']);
tests('test:gateways', 'nginx, HAProxy and Varnish, from Debian', ['gateways', '--runInBand']);
script('test:versions', 'The engine of each n8n: --only 2.8.4', 'dev/scripts/versions.ts');
script('test:hosts', 'The whole of each n8n: --only 2.8.4', 'dev/scripts/hosts.ts');
script('test:faults', 'Random faults: --runs 5000 --seed 42', 'dev/scripts/faults.mjs');
// What reads dates, west of Greenwich; `npm test` runs all quick tests east of it.
const OF_DATES = [
	'--maxWorkers=1',
	'--testPathPatterns',
	'sheets/times|client/(same/compare|dates)',
];
tests('test:zone', "Dates on a machine in St. John's", ['quick', ...OF_DATES], {
	TZ: 'America/St_Johns',
});
tests('coverage', 'What the tests that need no n8n cover', ['quick', 'repo', '--coverage']);
script('worlds', 'Random services: --tier faults --seed 7', 'test/simulation/worlds/main.ts');
script('worlds:trigger', 'The same for the trigger', 'test/simulation/worlds/trigger/main.ts');

script('bench:gateways', "What gateways' limits cost", 'dev/bench/gateways.ts');
script('bench:governor', 'How near the pace comes to the ideal', 'dev/bench/governor.ts');
script('bench:growth', 'Time and memory up to 100,000 records', 'dev/bench/growth.ts');
script('bench:sheet', 'What reading a large sheet costs', 'dev/bench/sheet.ts');
script('bench:soak', 'An hour of everything: --minutes 60', 'dev/bench/soak.ts');
script('demo:queue', 'Queue mode; a worker is killed', 'dev/demo/queue/main.ts');
script('sandbox', 'The sandbox alone', 'dev/sandbox/serve.ts');
const SHOWN = ['e2e', '--runInBand', '--testPathPatterns', 'e2e/(ai|editor|writes)'];
tests('pictures', 'The pictures of the documentation', SHOWN, { PICTURES: 'docs/images' });

script('house', 'Lines of each room; calls of a row', 'dev/scripts/house.ts');
script('messages', 'Every text that a user can meet', 'dev/scripts/messages.ts');
script('release:check', 'What a tag would publish', 'dev/scripts/releaseCheck.ts');
program('sbom', 'What develops the package: --output-file FILE', [
	...['cyclonedx-npm', '--package-lock-only', '--ignore-npm-errors', '--output-reproducible'],
]);

task('default', series('build'));
