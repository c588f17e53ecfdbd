// Loads the shipped TypeScript so that the calls of exported functions can be counted: what one module
// takes from another comes wrapped. For `npx gulp house`.
const { readFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');
const Module = require('node:module');
const ts = require('typescript');

const ROOT = dirname(dirname(__dirname));
const SHIPPED = join(ROOT, 'nodes');
const wrappers = new WeakMap();
/** Calls of exported functions, in their order; undefined while nothing is traced. */
let calls;

function wrapped(file, name, own) {
	if (typeof own !== 'function' || /^class\b/.test(Function.prototype.toString.call(own)))
		return own;
	if (wrappers.has(own)) return wrappers.get(own);
	const wrapper = new Proxy(own, {
		apply(target, self, args) {
			calls?.push({ file, name });
			return Reflect.apply(target, self, args);
		},
	});
	// One that is exported again by another module is counted once.
	wrappers.set(own, wrapper);
	wrappers.set(wrapper, wrapper);
	return wrapper;
}

Module._extensions['.ts'] = (module, filename) => {
	const compilerOptions = { module: 'commonjs', target: 'es2022', esModuleInterop: true };
	const source = readFileSync(filename, 'utf8');
	module._compile(ts.transpileModule(source, { compilerOptions }).outputText, filename);
	if (!filename.startsWith(SHIPPED)) return;
	const file = relative(ROOT, filename);
	module.exports = new Proxy(module.exports, {
		get: (exported, name) => wrapped(file, String(name), exported[name]),
	});
};

const { startSandbox } = require('../sandbox/index.ts');
const { runNode } = require('../../test/support/engine.ts');
const { postSheet } = require('../../test/support/sheet.ts');

async function main() {
	const sandbox = await startSandbox();
	const post = async (title) =>
		await runNode({
			credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.write },
			rows: [{ location_id: sandbox.account.locations[0].id, title, content: 'From 8 to 12.' }],
			parameters: postSheet,
		});
	// What is only set up once is not the row's.
	await post('Open on Sunday');
	calls = [];
	await post('Open on Monday');
	const folders = calls.map(({ file }) => dirname(file));
	const changes = folders.filter((folder, at) => at > 0 && folder !== folders[at - 1]).length;
	console.log(`calls of exported functions for a first row: ${calls.length}`);
	console.log(`changes of folder for it: ${changes}`);
	if (process.argv.includes('--calls')) {
		const counts = new Map();
		for (const { file, name } of calls) {
			const key = `${relative('nodes/LocalSeo', file)} ${name}`;
			counts.set(key, (counts.get(key) ?? 0) + 1);
		}
		for (const [key, count] of [...counts].sort(([, a], [, b]) => b - a)) console.log(count, key);
	}
	process.exit();
}

void main();
