import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Complaint } from '../demo/complaint';
import { prepareHome, ROOT } from '../demo/home';
import { startHost } from '../demo/host';
import { installPackage } from '../demo/package';
import { freePort } from '../demo/port';
import { logIn, type Rest } from '../demo/rest';

/** A running n8n with this node in it, and a folder of its own that goes with it. */
export interface Stage {
	url: string;
	rest: Rest;
	/** Where expressions.cjs writes what it has counted. */
	expressions: string;
	close(): Promise<void>;
}

function installHost(): void {
	const installer = join(ROOT, 'demo', 'install.mjs');
	const { status } = spawnSync(process.execPath, [installer], { stdio: 'inherit' });
	if (status !== 0) throw new Complaint('n8n could not be installed; what went wrong is above.');
}

/** Installs the packed node into a fresh n8n and starts it on a free port. */
export async function openStage(): Promise<Stage> {
	installHost();
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-bench-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const expressions = join(folder, 'expressions.jsonl');
	const home = prepareHome(folder);
	await installPackage(home);
	process.env.EXTERNAL_HOOK_FILES = join(__dirname, 'expressions.cjs');
	process.env.BENCH_EXPRESSIONS = expressions;
	const host = await startHost(home, await freePort());
	return {
		url: host.url,
		rest: await logIn(host.url, folder),
		expressions,
		close: async () => await host.stop(),
	};
}
