const { projects } = require('../../jest.config.js');

const [quick] = projects;

// A mutant that survives the other tests goes through all of these.
process.env.WORLDS ??= '200';
process.env.FAULT_RUNS ??= '10';

/**
 * The quick tests, without those that run in processes of their own (a mutant would not reach them) or
 * look at something else than the node, and without the long ones.
 */
module.exports = {
	...quick,
	rootDir: '../..',
	testTimeout: 60_000,
	testPathIgnorePatterns: [
		...quick.testPathIgnorePatterns,
		'<rootDir>/test/(package|structure|sandbox|examples|real)/',
		'<rootDir>/test/worlds/(bounds|http/|trigger/)',
		'<rootDir>/test/unit/(growth|soak|queueDemo|ownHost|startSignals|login)\\.test',
	],
};
