/** One line per suite, and failures in full. With TEST_COUNTS, appends the counts to that file as JSON. */
const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

class Reporter {
	constructor({ testNamePattern }) {
		this.isFiltered = Boolean(testNamePattern);
	}

	onTestResult({ context, path }, result) {
		const { numFailingTests, numPassingTests, perfStats, failureMessage } = result;
		const name = relative(context.config.rootDir, path).replace(/^test\/|\.test\.ts$/g, '');
		const tests = numPassingTests + numFailingTests;
		const failed = numFailingTests > 0 ? `, ${numFailingTests} failed` : '';
		const time = seconds(perfStats.end - perfStats.start);
		console.log(`${failureMessage ? '✗' : '✓'} ${name}  ${tests} tests${failed}, ${time}`);
		for (const { message } of result.console ?? []) console.log(message);
		if (failureMessage) console.log(failureMessage);
	}

	onRunComplete(_contexts, results) {
		const { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites } = results;
		// A suite that could not run counts as failed, and so does a skipped test, unless `-t` left it out.
		const skipped = this.isFiltered ? 0 : numPendingTests;
		const failed = numFailedTests + skipped + numRuntimeErrorTestSuites;
		const counts = {
			passed: numPassedTests,
			failed,
			seconds: (Date.now() - results.startTime) / 1000,
		};
		if (process.env.TEST_COUNTS) {
			appendFileSync(process.env.TEST_COUNTS, `${JSON.stringify(counts)}\n`);
		} else {
			console.log(`${counts.passed} passed, ${failed} failed, ${seconds(counts.seconds * 1000)}`);
		}
	}

	getLastError() {}
}

module.exports = Reporter;
