import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// n8n-core writes its settings file when it is loaded, and logs every error.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'n8n-core-'));
process.env.N8N_LOG_LEVEL = 'silent';
// Requests to the sandbox must not go through a proxy of this machine.
for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']) {
	delete process.env[name];
	delete process.env[name.toLowerCase()];
}
