import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a command in a folder and shows its output; rejects with its name if it fails. `signal` kills it. */
export function run(command, args, { cwd, env = process.env, quiet = false, signal } = {}) {
  return new Promise((resolve, reject) => {
    const output = [];
    const stdio = quiet ? 'pipe' : 'inherit';
    const child = spawn(command, args, { cwd, env, stdio, signal, killSignal: 'SIGKILL' });
    // A signal to this program alone does not reach the child, so pass it on and wait for it to exit.
    // Ctrl-C reaches both: the child then gets it twice, and ends once.
    const pass = (signal) => child.kill(signal);
    for (const name of SIGNALS) process.on(name, pass);
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data) => output.push(data));
    child.once('error', reject);
    child.once('exit', (code, killedBy) => {
      for (const name of SIGNALS) process.off(name, pass);
      if (code === 0) return resolve();
      process.stderr.write(Buffer.concat(output));
      reject(
        new Error(`"${command} ${args.join(' ')}" ended with ${killedBy ?? `status ${code}`}`),
      );
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
  try {
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      quiet: true,
    });
    if (rebuild.length > 0) await run('npm', ['rebuild', ...rebuild], { cwd: folder, quiet: true });
  } finally {
    clearInterval(progress);
  }
  writeFileSync(stamp, lock);
  console.log(`Installed ${label} in ${Math.round((Date.now() - started) / 1000)} s`);
}
