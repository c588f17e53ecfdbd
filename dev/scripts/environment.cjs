/**
 * Jest's environment, but in the realm of Node itself. Jest makes a new realm for each suite and loads
 * every package into it anew; n8n's engine alone costs more there than most suites. Here packages are
 * loaded once for each worker (packages.cjs), and only our own code once for each suite.
 */
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');
const { ModuleMocker } = require('jest-mock');

/** Stands for the realm of Node, which has no name in `node:vm` but the lack of one. */
const HERE = vm.createContext({});
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, { parsingContext, ...options } = {}) =>
	compileFunction(code, parameters, {
		...options,
		parsingContext: parsingContext === HERE ? undefined : parsingContext,
	});

module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.global = globalThis;
		this.moduleMocker = new ModuleMocker(globalThis);
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

	getVmContext() {
		return HERE;
	}

	async teardown() {
		this.restore();
		await super.teardown();
	}
};
