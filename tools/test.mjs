// `npm test`: installs what is needed, checks types and lint, runs every test and counts what ran.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, run } from './install.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const reports = mkdtempSync(join(tmpdir(), 'local-seo-test-'));
const count = { passed: 0, failed: 0 };

/** A check that passes or fails as a whole. */
async function check(name, args) {
  console.log(`\n── ${name}`);
  const ok = await run('npm', args, { cwd: root }).then(
    () => true,
    () => false,
  );
  count[ok ? 'passed' : 'failed']++;
}

/** A jest project; every test counts, and a suite that could not run counts as failed. */
async function tests(project, ...more) {
  console.log(`\n── ${project} tests`);
  const outputFile = join(reports, `${project}.json`);
  const args = ['--selectProjects', project, '--ci', '--json', '--outputFile', outputFile, ...more];
  const jest = join(root, 'node_modules', '.bin', 'jest');
  await run(jest, args, { cwd: root }).catch(() => {});
  const report = JSON.parse(readFileSync(outputFile, 'utf8'));
  count.passed += report.numPassedTests;
  count.failed += report.numFailedTests + report.numRuntimeErrorTestSuites + report.numPendingTests;
  if (report.numTotalTests === 0) count.failed++;
}

await install(root, { label: "the project's packages", minutes: 2 });
await check('types', ['run', '--silent', 'typecheck']);
await check('lint', ['run', '--silent', 'lint']);
await tests('quick');
await run(process.execPath, [join(root, 'harness', 'install.mjs')], { cwd: root });
// One after the other: each builds and packs the node, and n8n wants the machine for itself.
await tests('real', '--runInBand');
rmSync(reports, { recursive: true });

console.log(`\n${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed === 0 ? 0 : 1;
