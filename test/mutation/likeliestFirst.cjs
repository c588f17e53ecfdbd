const { default: TestSequencer } = require('@jest/test-sequencer');

/** First the files that noticed the mutant before, which is often a neighbour; then the fastest ones. */
module.exports = class LikeliestFirst extends TestSequencer {
	sort(tests) {
		const byTime = super.sort(tests).reverse();
		return [
			...byTime.filter((test) => this.hasFailed(test)),
			...byTime.filter((test) => !this.hasFailed(test)),
		];
	}
};
