const { availableParallelism } = require('node:os');

// Workers make many short-lived objects: a larger nursery saves a tenth of their processor time.
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=64`.trim();

/**
 * The folder of another n8n's engine: `npx gulp test:versions` has its packages take the place of ours,
 * luxon and lodash among them, which every n8n brings.
 */
const engine = process.env.LOCAL_SEO_ENGINE;
const ofEngine = engine && {
	'^(n8n-core|n8n-workflow|luxon|lodash(?:/.+)?)$': `${engine}/node_modules/$1`,
};

/**
 * `quick` tests the node and needs nothing but npm's packages, `repo` tests all that is around it: it
 * builds, packs and starts programs. `e2e` starts the pinned n8n of dev/n8n/pinned, with `--runInBand`
 * since its suites share it. `gateways` needs nginx, HAProxy, Varnish and PostgreSQL from Debian.
 */
const shared = {
	// Otherwise jest would search the 2.7 GB of dev/n8n/pinned/node_modules at every start.
	roots: ['<rootDir>/test'],
	testEnvironment: '<rootDir>/test/support/jest/environment.cjs',
	transform: {
		'^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022' }, module: { type: 'commonjs' } }],
		// All packages but jest's own.
		'/node_modules/(?!@?jest|expect/|emittery/).+\\.c?js$':
			'<rootDir>/test/support/jest/packages.cjs',
	},
	transformIgnorePatterns: [],
	...(ofEngine && { moduleNameMapper: ofEngine }),
};

module.exports = {
	// Only to end tests that hang: on a busy machine, what takes 20 s of the processor takes minutes.
	testTimeout: 1_200_000,
	// One more than there are cores: the tests spend much of their time waiting.
	maxWorkers: availableParallelism() + 1,
	// What is marked as concurrent waits, and does not use the processor.
	maxConcurrency: 40,
	// GitHub shows a failed test beside the line that failed.
	reporters: [
		'<rootDir>/test/support/jest/reporter.cjs',
		...(process.env.GITHUB_ACTIONS ? ['github-actions'] : []),
	],
	coverageProvider: 'v8',
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageReporters: [['text', { skipFull: true }], 'text-summary'],
	// Applies to `npx jest --selectProjects quick repo --coverage`. What runs in child processes does not count.
	coverageThreshold: { global: { lines: 99, statements: 99, functions: 99, branches: 96 } },
	projects: [
		{
			...shared,
			displayName: 'quick',
			testMatch: ['<rootDir>/test/{unit,node,simulation}/**/*.test.ts'],
		},
		{
			...shared,
			displayName: 'repo',
			testMatch: ['<rootDir>/test/repo/*.test.ts'],
		},
		{
			...shared,
			displayName: 'e2e',
			testMatch: ['<rootDir>/test/e2e/*.test.ts'],
			globalTeardown: '<rootDir>/test/e2e/globalTeardown.cjs',
		},
		{
			...shared,
			displayName: 'gateways',
			testMatch: ['<rootDir>/test/e2e/gateways/**/*.test.ts'],
		},
	],
};
