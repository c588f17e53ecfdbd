// `npm start`: installs the project on first use, then hands over to demo/main.ts with the same flags.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, run } from './install.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
await install(root, { label: "the project's packages", minutes: 2 });
try {
  await run(
    join(root, 'node_modules', '.bin', 'tsx'),
    [join(root, 'demo', 'main.ts'), ...process.argv.slice(2)],
    {
      cwd: root,
    },
  );
} catch {
  process.exitCode = 1; // demo/main.ts has said why
}
