/** Jest's transform of a package's file: the package as Node has loaded it, once for all suites of a worker. */
module.exports = {
	process: (_source, path) => ({
		code: `module.exports = requirePackage(${JSON.stringify(path)});`,
	}),
	getCacheKey: (_source, path) => `package ${path}`,
};
