import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { strykerPlugins as jestPlugins } from '@stryker-mutator/jest-runner';

/** In the copy of the project that Stryker works in, so that its processes share it. */
const TESTS = 'testsWithWhatTheyReach.json';

const fileOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const FOR_MUTANTS = {
  testRunner: fileOf('untilNoticed.cjs'),
  testSequencer: fileOf('likeliestFirst.cjs'),
};

const idsOf = (source) => [...source.matchAll(/stryMutAct_\w+\("(\d+)"\)/g)].map(([, id]) => id);

/**
 * Stryker's runner for Jest loads every test file for each mutant and skips those tests in it that do
 * not reach the mutant. This one loads only the files of the tests that do: a tenth of the time. For a
 * mutant of what is computed when a file is loaded, these are the tests that reach another mutant of it.
 */
function byFile(runner) {
  const { dryRun, mutantRun } = runner;
  const { run } = runner.jestTestAdapter;
  let tests;
  let testFiles;
  let isMutant = false;

  runner.dryRun = async (options) => {
    const result = await dryRun.call(runner, options);
    const reached = result.mutantCoverage?.perTest ?? {};
    tests = (result.tests ?? []).map(({ id, fileName }) => ({
      id,
      fileName,
      mutants: Object.keys(reached[id] ?? {}),
    }));
    writeFileSync(TESTS, JSON.stringify(tests));
    return result;
  };
  runner.mutantRun = async (options) => {
    const ids = new Set(options.testFilter ?? idsOf(readFileSync(options.sandboxFileName, 'utf8')));
    const isReaching = ({ id, mutants }) =>
      options.testFilter ? ids.has(id) : mutants.some((mutant) => ids.has(mutant));
    tests ??= JSON.parse(readFileSync(TESTS, 'utf8'));
    const files = new Set(tests.filter(isReaching).map(({ fileName }) => fileName));
    isMutant = true;
    testFiles = files.size > 0 ? [...files] : undefined;
    return await mutantRun.call(runner, options);
  };
  runner.jestTestAdapter.run = async (settings) =>
    await run.call(runner.jestTestAdapter, {
      ...settings,
      testFiles: settings.testFiles ?? testFiles,
      jestConfig: isMutant ? { ...settings.jestConfig, ...FOR_MUTANTS } : settings.jestConfig,
    });
  return runner;
}

export const strykerPlugins = jestPlugins.map(({ kind, factory }) => {
  const create = (injector) => byFile(factory(injector));
  create.inject = factory.inject;
  return { kind, name: 'jest-by-file', factory: create };
});
