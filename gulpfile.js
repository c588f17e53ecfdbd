const { rm } = require('node:fs/promises');
const { dest, parallel, series, src } = require('gulp');
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

exports.clean = clean;
exports.build = series(clean, parallel(compile, assets));
exports.default = exports.build;
