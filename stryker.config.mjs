// Whether the tests notice when the shipped code does something else. `npm run mutation` runs this for each
// room, a folder of nodes/LocalSeo (tools/mutation.ts).

const room = process.env.MUTATION_ROOM;
const file = `coverage/mutation-${room.replace('/', '-')}`;

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  plugins: ['@stryker-mutator/jest-runner', './test/mutation/runner.mjs'],
  testRunner: 'jest-by-file',
  jest: { configFile: 'test/mutation/jest.config.js', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  mutate: [`nodes/LocalSeo/${room}/*.ts`],
  ignorePatterns: ['harness/n8n/node_modules', 'dist', 'demo/.*', 'examples', 'coverage'],
  incremental: true,
  incrementalFile: `${file}.json`,
  reporters: ['clear-text', 'progress-append-only', 'html'],
  htmlReporter: { fileName: `${file}.html` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  tempDirName: 'coverage/mutants',
  // Long, because a mutant that is only slow would count as noticed.
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 60,
  thresholds: { high: 95, low: 90, break: 90 },
};
