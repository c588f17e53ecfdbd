// Installs the pinned n8n of this folder on first use; does nothing afterwards.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from '../install.mjs';

await install(dirname(fileURLToPath(import.meta.url)), {
  label: 'n8n 2.41.1 (2.7 GB)',
  minutes: 4,
  rebuild: ['node', 'sqlite3'], // the only native packages that n8n needs here
});
