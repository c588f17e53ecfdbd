const { createEmptyTestResult } = require('@jest/test-result');
const { default: circus } = require('jest-circus/runner');

/** The last mutant that a test noticed. */
let noticed;

/** The result of a file of which no test ran. */
function withoutTests(testFilePath, status, failureMessages) {
	const name = `${testFilePath} as a whole`;
	const test = {
		ancestorTitles: [],
		title: name,
		fullName: name,
		status,
		failureMessages,
		failureDetails: [],
	};
	const count = status === 'failed' ? { numFailingTests: 1 } : { numPendingTests: 1 };
	return { ...createEmptyTestResult(), ...count, testFilePath, testResults: [test] };
}

/**
 * Jest's runner of a test file, for Stryker: one test that notices a mutant is enough, so those after it
 * are left out, and so are the files after it. (Jest's own `bail` ends the process.) A file that can't be
 * loaded any more has noticed the mutant, too.
 */
module.exports = async (globalConfig, config, environment, runtime, testPath, ...more) => {
	const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
	if (mutant === noticed) return withoutTests(testPath, 'pending', []);

	const { handleTestEvent } = environment;
	environment.handleTestEvent = async (event, state) => {
		if (event.name === 'test_start' && mutant === noticed) event.test.mode = 'skip';
		if (event.name === 'test_fn_failure' || event.name === 'hook_failure') noticed = mutant;
		await handleTestEvent?.call(environment, event, state);
	};
	try {
		return await circus(globalConfig, config, environment, runtime, testPath, ...more);
	} catch (error) {
		noticed = mutant;
		return withoutTests(testPath, 'failed', [String(error)]);
	}
};
