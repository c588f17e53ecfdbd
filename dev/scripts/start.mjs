// `npm start` and `npm run dev`: install the packages on first use, then start the program with its flags.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, run } from '../n8n/install.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

// npm passes SIGINT and SIGTERM on to what it has started. That is this program and not a shell, because
// the scripts in package.json begin with `exec`: in the background, shells ignore SIGINT. Other signals
// end npm alone. So this program ends, too, when its parent has gone.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 500).unref();
}

await install(root, { label: "the project's packages", minutes: 2 });
try {
  // Not by tsx's own command: that is one more process between a signal and the program.
  const program = ['--import', 'tsx', join(root, 'dev', 'demo', 'main.ts')];
  await run(process.execPath, [...program, ...process.argv.slice(2)], { cwd: root });
} catch {
  process.exitCode = 1; // the program has printed the reason
}
