// `npm test`: installs what is needed, checks types and lint, runs all tests and prints the counts.
import { spawn } from 'node:child_process';
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

/** A check that passes or fails as a whole; its output is shown only if it fails. */
async function check(task, ...flags) {
  const started = Date.now();
  const output = [];
  const [command, ...rest] = [...WHEN_IDLE, bin('gulp'), task, ...flags];
  const child = spawn(command, rest, { cwd: root, stdio: 'pipe' });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => output.push(data));
  const status = await new Promise((resolve) => child.once('close', resolve));
  count[status === 0 ? 'passed' : 'failed']++;
  console.log(`${status === 0 ? '✓' : '✗'} ${task}  ${since(started)}`);
  if (status !== 0) process.stdout.write(Buffer.concat(output));
}

/** Milliseconds that jest has to exit after its last test. */
const TO_EXIT = 60_000;

/** Tests that jest runs with these arguments; each counts, and so does what keeps jest from ending. */
async function tests(name, args, prefix = []) {
  const file = join(reports, name);
  const env = { ...process.env, TEST_COUNTS: file };
  const stop = new AbortController();
  const watch = setInterval(() => {
    const counted = statSync(file, { throwIfNoEntry: false });
    if (counted && Date.now() - counted.mtimeMs > TO_EXIT) stop.abort();
  }, 1_000);
  const [command, ...rest] = [...prefix, bin('jest'), '--ci', '--selectProjects', ...args];
  await run(command, rest, { cwd: root, env, signal: stop.signal }).catch(() => {});
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
await need(run(bin('tsx'), [join(root, 'dev', 'n8n', 'installBrowser.ts')], { cwd: root }));

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
  // Nothing depends on the time zone of the machine.
  await check('test:zones');
}
// What waits for polls, once a minute, has an n8n of its own.
const POLLS = 'test/e2e/(trigger|recipes)';
await Promise.all([
  tests('polls', ['e2e', '--runInBand', '--testPathPatterns', POLLS]),
  tests('e2e', ['e2e', '--runInBand', '--testPathIgnorePatterns', POLLS]),
  tests('quick', ['quick'], WHEN_IDLE),
  checks(),
]);

const total = count.passed + count.failed;
console.log(`\n${total} tests and checks in ${since(started)}`);
end();
