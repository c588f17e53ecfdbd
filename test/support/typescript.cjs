/*
 * Lets `node --require` run a program of this repository as jest does: tsx would take `LocalSeo.node`
 * for `LocalSeo.node.json`, which stands beside it.
 */
const { readFileSync } = require('node:fs');
const { _extensions: loaders } = require('node:module');
const { transformSync } = require('@swc/core');

const { '.json': json } = loaders;
delete loaders['.json'];
loaders['.ts'] = (module, filename) => {
	const options = { filename, jsc: { target: 'es2022' }, module: { type: 'commonjs' } };
	module._compile(transformSync(readFileSync(filename, 'utf8'), options).code, filename);
};
loaders['.json'] = json;
