import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installHost } from '../../harness/host';
import { pack } from '../../harness/nodePackage';

/** Before the first suite: the pinned n8n is there, and the node is built and packed once for all. */
export default async function setUp(): Promise<void> {
	installHost();
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-tarball-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	process.env.LOCAL_SEO_TARBALL = await pack(folder);
}
