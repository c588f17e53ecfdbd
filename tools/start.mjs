// `npm start` and `npm run dev`: install the project on first use, then hand over with the same flags.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, run } from './install.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [program = '', ...flags] = process.argv.slice(2);
const isDev = program === 'dev';
const main = isDev ? join(root, 'tools', 'dev.ts') : join(root, 'demo', 'main.ts');

// Told to end, npm ends its shell and nothing else: without its parent this ends in order, too.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 500).unref();
}

await install(root, { label: "the project's packages", minutes: 2 });
try {
  await run(
    join(root, 'node_modules', '.bin', 'tsx'),
    [main, ...(isDev ? flags : process.argv.slice(2))],
    { cwd: root },
  );
} catch {
  process.exitCode = 1; // the program has said why
}
