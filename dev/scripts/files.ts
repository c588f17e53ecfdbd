import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../n8n/home';

/** What is installed, built or left by a run. */
const NOT_OURS = /^(node_modules|dist|coverage|\..+)$/;

/** The project's own files: these, and all below these folders; relative to the root, with slashes. */
export function filesIn(...paths: string[]): string[] {
	return paths.flatMap((path) => {
		if (!statSync(join(ROOT, path)).isDirectory()) return [path];
		const names = readdirSync(join(ROOT, path)).filter((name) => !NOT_OURS.test(name));
		return filesIn(...names.map((name) => (path === '.' ? name : `${path}/${name}`)));
	});
}
