// The tasks of the workshop: `npx gulp --tasks`. What is used most is a script of package.json.
// A task hands the flags behind its name on to its program: `npx gulp worlds --seed 7`.
const { rm } = require('node:fs/promises');
const { dest, parallel, series, src, task } = require('gulp');

// The modes of files are part of the tarball: the same source makes the same bytes on every machine.
process.umask(0o022);

const clean = async () => await rm('dist', { recursive: true, force: true });

const assets = () =>
	src(['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));

/** Names a task, and says in `npx gulp --tasks` what it is for. */
const define = (name, description, action) =>
	task(Object.assign(action, { displayName: name, description }));

const [called, ...flags] = process.argv.slice(2);

/** Runs a program of node_modules/.bin, in the environment of this one and `env`. */
const program =
	([command, ...args], env = {}) =>
	async () => {
		const { run } = await import('./dev/n8n/install.mjs');
		const options = { cwd: __dirname, env: { ...process.env, ...env } };
		await run(`${__dirname}/node_modules/.bin/${command}`, args, options);
	};

/** A task that runs a TypeScript program with the flags behind its name. */
const script = (name, description, file) =>
	define(name, description, program(['tsx', file, ...(name === called ? flags : [])]));

const compile = program(['tsc']);
define('build', 'Compiles what ships to dist/', series(clean, parallel(compile, assets)));

const LINTS = [
	// n8n's own, in strict mode.
	program(['n8n-node', 'lint'], { ESLINT_FLAGS: 'v10_config_lookup_from_file' }),
	// The build checks once more what ships, without the types of Node.js.
	program(['tsc', '--project', 'dev']),
	program(['prettier', '--check', '--cache', '--log-level', 'warn', '.']),
];
define('lint', "n8n's linter, types and formatting", series(...LINTS));

script('test:versions', 'The engine of each n8n: --only 2.8.4', 'dev/scripts/versions.ts');
// `npm test` has a fixed seed, so that it fails because of a change and not by chance.
const FAULT_SEED = process.env.FAULT_SEED ?? String(Date.now() % 1_000_000_007);
define(
	'test:faults',
	'Random faults and sheets; in the environment: FAULT_RUNS=1000 FAULT_SEED=42',
	program(['jest', 'test/node/(faults|sheets/drawn)'], { FAULT_SEED }),
);
script('worlds', 'Random services: --seed 7', 'test/simulation/worlds/main.ts');
script('worlds:trigger', 'The same for the trigger', 'test/simulation/worlds/trigger/main.ts');
const SHOWN = [
	'--runInBand',
	'--testPathPatterns',
	'e2e/(sheetToPosts|tools|uploadedSheets|walkthrough)',
];
define(
	'pictures',
	'The pictures of the documentation, but for install.png',
	program(['jest', '--selectProjects', 'e2e', ...SHOWN], { PICTURES: 'docs/images' }),
);

script('demo:queue', 'Queue mode; a worker is killed', 'dev/demo/queue.ts');
