// `npx gulp test:faults --runs 5000 --seed 42`: the fault tests with more runs, or with the seed of a failure.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { run } from '../n8n/install.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } });
const env = { ...process.env };
if (values.runs) env.FAULT_RUNS = values.runs;
// `npm test` uses a fixed seed, so that it fails because of a change and not by chance.
env.FAULT_SEED = values.seed ?? String(Date.now() % 1_000_000_007);
await run(join(root, 'node_modules', '.bin', 'jest'), ['test/node/faults'], {
  cwd: root,
  env,
}).catch(() => (process.exitCode = 1));
