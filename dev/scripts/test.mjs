// `npm test`: installs what is needed, checks types and lint, runs all tests and prints the counts.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, run } from '../n8n/install.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const bin = (name) => join(root, 'node_modules', '.bin', name);
const reports = mkdtempSync(join(tmpdir(), 'local-seo-test-'));
process.once('exit', () => rmSync(reports, { recursive: true, force: true }));
const count = { passed: 0, failed: 0 };
const since = (started) => `${((Date.now() - started) / 1000).toFixed(1)} s`;

/** Exits with a last line that programs can read. */
function end() {
  console.log(`${count.passed} passed, ${count.failed} failed`);
  process.exit(count.failed === 0 ? 0 : 1);
}

/** The real n8n spends much time waiting; what runs beside it takes the processor then, and not before. */
const WHEN_IDLE = ['nice', '-n', '5'];

/** Minutes after which what runs is taken for stuck: it is stopped, says what it said so far, and fails. */
const STUCK = 30;
/** Milliseconds that jest has to exit after its last test. */
const TO_EXIT = 60_000;

const running = new Set();
/** So that the log of a run that is stopped from outside tells what it waited for. */
setInterval(() => {
  if (running.size > 0) console.log(`  … still running: ${[...running].join(', ')}`);
}, 300_000).unref();

async function succeeds(name, [command, ...args], options = {}) {
  running.add(name);
  try {
    await run(command, args, { cwd: root, minutes: STUCK, ...options });
    return true;
  } catch (error) {
    if (error.message.includes('was stopped')) console.log(`✗ ${name}: ${error.message}`);
    return false;
  } finally {
    running.delete(name);
  }
}

/** A task of gulp that passes or fails as a whole; its output is shown only if it fails. */
async function check(task, ...flags) {
  const started = Date.now();
  const isWell = await succeeds(task, [...WHEN_IDLE, bin('gulp'), task, ...flags], { quiet: true });
  count[isWell ? 'passed' : 'failed']++;
  console.log(`${isWell ? '✓' : '✗'} ${task}  ${since(started)}`);
}

/** Tests that jest runs with these arguments; each counts, and so does what keeps jest from ending. */
async function tests(name, args, { prefix = [], zone = process.env.TZ } = {}) {
  const file = join(reports, name);
  const env = { ...process.env, TEST_COUNTS: file, TZ: zone };
  const stop = new AbortController();
  const watch = setInterval(() => {
    const counted = statSync(file, { throwIfNoEntry: false });
    if (counted && Date.now() - counted.mtimeMs > TO_EXIT) stop.abort();
  }, 1_000);
  const jest = [...prefix, bin('jest'), '--ci', '--selectProjects', ...args];
  await succeeds(name, jest, { env, signal: stop.signal });
  clearInterval(watch);
  if (stop.signal.aborted) {
    count.failed++;
    console.log(`✗ the ${name} tests did not exit: something that they opened is still open`);
  }
  let counts = { passed: 0, failed: 1 }; // if jest did not finish
  try {
    counts = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.log(`✗ the ${name} tests did not run`);
  }
  count.passed += counts.passed;
  count.failed += counts.passed + counts.failed === 0 ? 1 : counts.failed;
}

/** Something without which no test can run. */
async function need(what) {
  await what.catch((error) => {
    if (error.code) console.log(error.message); // it did not start; else it has said why
    count.failed++;
    end();
  });
}

await need(install(root, { label: "the project's packages", minutes: 2 }));
await need(
  run(process.execPath, [join(root, 'dev', 'n8n', 'pinned', 'install.mjs')], { cwd: root }),
);
await need(run(bin('tsx'), [join(root, 'test', 'support', 'installBrowser.ts')], { cwd: root }));

const started = Date.now();
// Built and packed once, for every n8n that is started.
await need(run(bin('gulp'), ['build'], { cwd: root, quiet: true }));
const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', reports];
await need(run('npm', pack, { cwd: root, quiet: true }));
process.env.LOCAL_SEO_TARBALL = join(
  reports,
  readdirSync(reports).find((name) => name.endsWith('.tgz')),
);

/** One after the other, beside the tests. */
async function checks() {
  await check('lint');
  // On the engine of the oldest n8n.
  await check('test:versions', '--short');
  // Nothing depends on the time zone of the machine: here what reads dates runs west of Greenwich, ...
  const ofDates = [
    '--maxWorkers=1',
    '--testPathPatterns',
    'unit/(readTime|insights)|sheets/model|client/same',
  ];
  await tests('zone', ['quick', ...ofDates], { prefix: WHEN_IDLE, zone: 'America/St_Johns' });
}
// Two n8n, about as long as each other: what runs workflows, and what looks at screens.
const WORKFLOWS = 'test/e2e/(trigger|recipes|npmStart|credential|tools)';
await Promise.all([
  tests('workflows', ['e2e', '--runInBand', '--testPathPatterns', WORKFLOWS]),
  tests('screens', ['e2e', '--runInBand', '--testPathIgnorePatterns', WORKFLOWS]),
  // ... and here east of it.
  tests('quick', ['quick', 'repo'], { prefix: WHEN_IDLE, zone: 'Asia/Kolkata' }),
  checks(),
]);

const total = count.passed + count.failed;
console.log(`\n${total} tests and checks in ${since(started)}`);
end();
