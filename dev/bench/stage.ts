import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareHome } from '../n8n/home';
import { installHost, startHost } from '../n8n/host';
import { installPackage } from '../n8n/nodePackage';
import { freePort } from '../n8n/port';
import { logIn, type Rest } from '../n8n/rest';

/** A running n8n with this node installed, in a temporary folder. */
export interface Stage {
	url: string;
	rest: Rest;
	/** The file to which expressions.cjs writes its counts. */
	expressions: string;
	/** Of n8n. */
	log: string;
	close(): Promise<void>;
}

/**
 * Installs the packed node into a fresh n8n and starts it on a free port.
 *
 * @param more settings for n8n's environment
 */
export async function openStage(more: Record<string, string> = {}): Promise<Stage> {
	await installHost();
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-bench-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const expressions = join(folder, 'expressions.jsonl');
	const home = prepareHome(folder);
	await installPackage(home);
	const host = await startHost(home, await freePort(), {
		EXTERNAL_HOOK_FILES: join(__dirname, 'expressions.cjs'),
		BENCH_EXPRESSIONS: expressions,
		N8N_CUSTOM_EXTENSIONS: join(__dirname, 'floor'),
		...more,
	});
	return {
		url: host.url,
		rest: await logIn(host.url, home),
		expressions,
		log: home.log,
		close: async () => await host.stop(),
	};
}
