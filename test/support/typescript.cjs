/*
 * Lets `node --require` run a program of this repository as jest does: tsx would take `LocalSeo.node`
 * for `LocalSeo.node.json`, which stands beside it.
 */
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

const { _extensions: loaders } = Module;
const { '.json': json } = loaders;
delete loaders['.json'];
loaders['.ts'] = (module, filename) => {
	const options = { filename, jsc: { target: 'es2022' }, module: { type: 'commonjs' } };
	module._compile(transformSync(readFileSync(filename, 'utf8'), options).code, filename);
};
loaders['.json'] = json;

// The packages of another n8n's engine, as in jest.config.js.
const engine = process.env.LOCAL_SEO_ENGINE;
const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...rest) {
	const isOfEngine = engine && /^n8n-(core|workflow)$/.test(name);
	return resolve.call(this, isOfEngine ? join(engine, 'node_modules', name) : name, ...rest);
};
