const { projects } = require('../../jest.config.js');
const rooms = require('./rooms.json');

const [quick] = projects;
const TYPESCRIPT = '^.+\\.ts$';

// Properties are checked a few times for each of thousands of mutants, instead of often for one.
process.env.FAULT_RUNS ??= '2';
process.env.WORLDS ??= '100';

/** The tests that are run for the mutants of a room: those that are close to it, and quick. */
module.exports = {
	...quick,
	// Stryker brings its own environment, which follows jest's.
	testEnvironment: 'node',
	transform: { [TYPESCRIPT]: quick.transform[TYPESCRIPT] },
	transformIgnorePatterns: ['/node_modules/'],
	testMatch: rooms[process.env.MUTATION_ROOM].map((name) => `<rootDir>/test/${name}.test.ts`),
	rootDir: '../..',
	testTimeout: 60_000,
};
