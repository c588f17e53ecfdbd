/**
 * Jest's environment, but in the realm of Node itself. Jest makes a new realm for each suite and loads
 * every package into it anew; n8n's engine alone costs more there than most suites. Here packages are
 * loaded once for each worker (packages.cjs), and only our own code once for each suite.
 */
const { AsyncLocalStorage } = require('node:async_hooks');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** Stands for the realm of Node, which has no name in `node:vm` but the lack of one. */
const HERE = vm.createContext({});
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, { parsingContext, ...options } = {}) =>
	compileFunction(code, parameters, {
		...options,
		parsingContext: parsingContext === HERE ? undefined : parsingContext,
	});

/** The storages that a suite has used: until Node 24, each costs time with every promise, until it is disabled. */
const used = new Set();
for (const name of ['run', 'enterWith']) {
	const original = AsyncLocalStorage.prototype[name];
	AsyncLocalStorage.prototype[name] = function (...given) {
		used.add(this);
		return original.apply(this, given);
	};
}

module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.global = globalThis;
		// Of the same class, but of the realm of Node.
		this.moduleMocker = new this.moduleMocker.constructor(globalThis);
		globalThis.requirePackage = require;
		const { console } = globalThis;
		const { exit, getBuiltinModule, env } = process;
		const variables = { ...env };
		// What jest replaces for a suite, and what suites set.
		this.restore = () => {
			globalThis.console = console;
			Object.assign(process, { exit, getBuiltinModule });
			for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
			Object.assign(env, variables);
			// Otherwise those of this suite would hear of the next one's tests.
			delete globalThis[Symbol.for('EVENT_HANDLERS')];
			// Jest keeps the state of each suite under a new symbol of this name: all of them would stay.
			for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
				if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
			}
		};
	}

	/** A failed test of the editor says what its pages showed. */
	async handleTestEvent({ name, error }) {
		if (!['test_fn_failure', 'hook_failure'].includes(name) || !error?.stack) return;
		const shown = (await globalThis.sharedN8n?.shown().catch(String)) ?? '';
		if (shown)
			error.stack = error.stack.replace(error.message, (said) => `${said}\n\nShown:\n${shown}`);
	}

	getVmContext() {
		return HERE;
	}

	async teardown() {
		this.restore();
		// Those that are used again are enabled again.
		for (const storage of used) storage.disable();
		used.clear();
		await super.teardown();
	}
};
