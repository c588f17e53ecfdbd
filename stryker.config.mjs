// `npm run mutation`: whether the tests notice when the shipped code does something else. Takes hours, so
// CI runs it at night; `npm run mutation -- --mutate 'nodes/LocalSeo/client/lists/*.ts'` takes minutes.

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'jest',
  jest: { configFile: 'test/mutation/jest.config.js', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  mutate: ['nodes/LocalSeo/{client,operation,trigger}/**/*.ts'],
  ignorePatterns: ['harness/n8n/node_modules', 'docs', 'dist', 'demo/.*', 'examples', 'coverage'],
  incremental: true,
  incrementalFile: 'coverage/mutation.json',
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  htmlReporter: { fileName: 'coverage/mutation.html' },
  jsonReporter: { fileName: 'coverage/mutation-report.json' },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  tempDirName: 'coverage/mutants',
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 60,
  thresholds: { high: 95, low: 90, break: 90 },
};
