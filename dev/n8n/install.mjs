import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** A connection to the registry that stalls is given up after a minute, and opened again. */
const STALLED = ['--fetch-timeout=60000', '--fetch-retries=5'];
const OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund', ...STALLED];
/** Minutes that an installation may take on the slowest machine. */
const LIMIT = 30;

/**
 * Runs a command in a folder and shows its output (`quiet`: only if it fails); rejects with its name if it
 * fails. The end of `minutes` kills it, and with it all that it has started. With `isAbrupt`, so does a
 * signal to this program, which then ends by that signal.
 */
export function run(
  command,
  args,
  { cwd, env = process.env, quiet = false, minutes, isAbrupt = false } = {},
) {
  return new Promise((resolve, reject) => {
    const output = [];
    const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit';
    // A group of its own can be killed as a whole; it has no terminal.
    const isGroup = Boolean(minutes);
    const child = spawn(command, args, { cwd, env, stdio, detached: isGroup });
    const kill = (name) => {
      try {
        process.kill(isGroup ? -child.pid : child.pid, name);
      } catch {} // it has ended
    };
    // A signal to this program alone does not reach the child, so pass it on and wait for it to exit.
    // Ctrl-C may reach both: the child then gets it twice, and ends once.
    let received;
    const pass = (name) => {
      received = name;
      kill(isAbrupt ? 'SIGKILL' : name);
    };
    for (const name of SIGNALS) process.on(name, pass);
    let wasLate = false;
    const stop = () => {
      wasLate = true;
      kill('SIGKILL');
    };
    const limit = minutes && setTimeout(stop, minutes * 60_000);
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data) => output.push(data));
    child.once('error', reject);
    child.once('exit', async (code, killedBy) => {
      for (const name of SIGNALS) process.off(name, pass);
      clearTimeout(limit);
      if (isAbrupt && received) process.kill(process.pid, received);
      if (code === 0) return resolve();
      // What it said last. Not until the pipe closes: what it has started may hold that open.
      if (quiet) await new Promise((then) => setTimeout(then, 500));
      process.stderr.write(Buffer.concat(output));
      const end = wasLate
        ? `was stopped after ${minutes} min`
        : `ended with ${killedBy ?? `status ${code}`}`;
      reject(new Error(`"${command} ${args.join(' ')}" ${end}`));
    });
  });
}

/**
 * Installs the packages of a folder's lock file, once: a stamp in node_modules records the lock file
 * that was installed. `rebuild` lists the native packages that need their build step, since everything
 * is installed with --ignore-scripts.
 */
export async function install(folder, { label, minutes, rebuild = [] }) {
  const packages = join(folder, 'node_modules');
  // `npm ci` would empty the folder that the link leads to, which others use: take it as it is.
  if (lstatSync(packages, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const stamp = join(packages, '.installed-from');
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .update(process.version)
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;

  const started = Date.now();
  console.log(
    `Installing ${label} (once, about ${minutes} min, longer on a busy or small machine) …`,
  );
  const progress = setInterval(() => {
    console.log(`  … ${label}: ${Math.round((Date.now() - started) / 1000)} s`);
  }, 20_000);
  // At a signal, npm would first end the step that it is in, which takes minutes. Nothing is lost with it:
  // without the stamp, the next start installs afresh.
  const options = { cwd: folder, quiet: true, minutes: LIMIT, isAbrupt: true };
  try {
    await run('npm', ['ci', ...OPTIONS], options);
    if (rebuild.length > 0) await run('npm', ['rebuild', ...rebuild], options);
  } finally {
    clearInterval(progress);
  }
  writeFileSync(stamp, lock);
  console.log(`Installed ${label} in ${Math.round((Date.now() - started) / 1000)} s`);
}
