import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { launch } from '../../dev/n8n/process';
import { CONTRACT_FILE } from '../../dev/sandbox/contract';

const PRISM = join(__dirname, '..', '..', 'node_modules', '.bin', 'prism');

/** Starts Prism as the README says, on a free port, with our description of the interface. */
export async function startPrism(...flags: string[]) {
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-prism-'));
	const log = join(folder, 'log');
	const prism = await launch(
		[process.execPath, PRISM, 'mock', '--port', '0', ...flags, CONTRACT_FILE],
		{ name: 'Prism', cwd: folder, log, env: { ...process.env, NO_COLOR: '1' } },
	);
	let origin: string | undefined;
	await prism.untilReady(() => {
		origin = /Prism is listening on (\S+)/.exec(readFileSync(log, 'utf8'))?.[1];
		return origin !== undefined;
	});
	return {
		origin: origin!,
		close: async () => {
			await prism.stop();
			rmSync(folder, { recursive: true });
		},
	};
}
