import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

export const ROOT = join(__dirname, '..', '..');

export const EXAMPLES = join(ROOT, 'examples');

/** The folders of one n8n, laid out as in a user's home folder. */
export interface Home {
	/** What n8n calls the user folder; it is also where n8n is started, as in its Docker image. */
	folder: string;
	/** Database, settings, encryption key and installed nodes. */
	n8n: string;
	/** Where community nodes are installed. */
	nodes: string;
	/** The folder that workflows may read from and write to. */
	files: string;
	log: string;
}

/** Lays out the home folder, with the spreadsheets of the examples in it. */
export function prepareHome(folder: string): Home {
	const n8n = join(folder, '.n8n');
	const home = {
		folder,
		n8n,
		nodes: join(n8n, 'nodes'),
		files: join(folder, '.n8n-files'),
		log: join(n8n, 'n8n.log'),
	};
	mkdirSync(home.nodes, { recursive: true });
	mkdirSync(home.files, { recursive: true });
	for (const name of ['posts.csv', 'posts.xlsx']) {
		copyFileSync(join(EXAMPLES, name), join(home.files, name));
	}
	return home;
}

/** The same in a folder that is removed when this program ends. */
export function temporaryHome(name: string): Home {
	const folder = mkdtempSync(join(tmpdir(), `local-seo-${name}-`));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	return prepareHome(folder);
}

/** A path as shown in the terminal: relative if it is below the current folder. */
export function shown(path: string): string {
	const near = relative(process.cwd(), path);
	return near.startsWith('..') ? path : near;
}
