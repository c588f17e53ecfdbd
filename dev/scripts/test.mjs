// `npm test`: installs what is needed, checks types and lint, runs all tests and prints the counts.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, run } from '../n8n/install.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const bin = (name) => join(root, 'node_modules', '.bin', name);
const reports = mkdtempSync(join(tmpdir(), 'local-seo-test-'));
process.once('exit', () => rmSync(reports, { recursive: true, force: true }));
const count = { passed: 0, failed: 0 };
const started = Date.now();
const soFar = () => `${((Date.now() - started) / 1000).toFixed(0)} s`;

/** Exits with a last line that programs can read. */
function end() {
  console.log(`${count.passed} passed, ${count.failed} failed`);
  process.exit(count.failed === 0 ? 0 : 1);
}

/** The real n8n spends much time waiting; what runs beside it takes the processor then, and not before. */
const WHEN_IDLE = ['nice', '-n', '5'];

/** Minutes after which what runs is taken for stuck: it is stopped, says what it said so far, and fails. */
const STUCK = 45;

async function succeeds(name, [command, ...args], options = {}) {
  try {
    await run(command, args, { cwd: root, minutes: STUCK, ...options });
    return true;
  } catch (error) {
    if (error.message.includes('was stopped')) console.log(`✗ ${name}: ${error.message}`);
    return false;
  }
}

/** A task of gulp that passes or fails as a whole; its output is shown only if it fails. */
async function check(task, ...flags) {
  const isWell = await succeeds(task, [...WHEN_IDLE, bin('gulp'), task, ...flags], { quiet: true });
  count[isWell ? 'passed' : 'failed']++;
  console.log(`${isWell ? '✓' : '✗'} ${task}, after ${soFar()}`);
}

/** Tests of jest; each counts. */
async function tests(name, args, { prefix = WHEN_IDLE, zone = process.env.TZ } = {}) {
  const file = join(reports, name);
  const env = { ...process.env, TEST_COUNTS: file, TZ: zone };
  const isWell = await succeeds(
    name,
    [...prefix, bin('jest'), '--ci', '--selectProjects', ...args],
    {
      env,
    },
  );
  const found = { passed: 0, failed: 0 };
  try {
    Object.assign(found, JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    console.log(`✗ the ${name} tests did not run`);
  }
  count.passed += found.passed;
  // Jest may fail though no test does: it was stopped, or there was none.
  count.failed += found.failed || Number(!isWell || found.passed === 0);
}

/** Something without which no test can run. */
async function need(what) {
  await what.catch((error) => {
    if (error.code) console.log(error.message); // it did not start; else it has said why
    count.failed++;
    end();
  });
}

/** Builds and packs once, for every n8n that is started. */
async function pack() {
  await need(run(bin('gulp'), ['build'], { cwd: root, quiet: true }));
  const how = ['--silent', '--ignore-scripts', '--pack-destination', reports];
  await need(run('npm', ['pack', ...how], { cwd: root, quiet: true }));
  const name = readdirSync(reports).find((file) => file.endsWith('.tgz'));
  process.env.LOCAL_SEO_TARBALL = join(reports, name);
}

const inRoot = { cwd: root };
await need(install(root, { label: "the project's packages", minutes: 2 }));
await need(run(process.execPath, [join(root, 'dev/n8n/pinned/install.mjs')], inRoot));
await need(run(bin('tsx'), [join(root, 'test/support/installBrowser.ts')], inRoot));
const isPacked = pack();

/** One n8n for all that is tested in it: it is what takes longest. */
async function inN8n() {
  await isPacked;
  const all = ['e2e', '--runInBand', '--testPathIgnorePatterns', 'npmStart'];
  await tests('e2e', all, { prefix: [] });
}

/** One after the other, beside the tests: with more at a time, n8n would wait for the processor. */
async function checks() {
  await check('lint');
  // On the engine of the oldest n8n.
  await check('test:versions', '--short');
  // Nothing depends on the time zone of the machine: here what reads dates runs west of Greenwich, ...
  const ofDates = ['--runInBand', '--testPathPatterns', 'unit/(readTime|insights)|client/same'];
  await tests('zone', ['quick', ...ofDates], { zone: 'America/St_Johns' });
  await isPacked;
  await tests('repo', ['repo', '--runInBand']);
  // With an n8n of its own.
  await tests('npm start', ['e2e', '--testPathPatterns', 'npmStart']);
}

await Promise.all([
  inN8n(),
  // ... and here east of it.
  tests('quick', ['quick', '--maxWorkers=50%'], { zone: 'Asia/Kolkata' }),
  checks(),
]);

console.log(`\n${count.passed + count.failed} tests and checks in ${soFar()}`);
end();
