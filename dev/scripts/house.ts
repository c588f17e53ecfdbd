// `npx gulp house`: how large the house is. Lines of each room, the longest files and the bounded stores of
// what ships, and lines of the workshop and the tests. test/repo/budgets.test.ts holds the bounds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../n8n/home';
import { tableOf } from '../n8n/markdown';
import { filesIn } from './files';

const ROOM = /^nodes\/LocalSeo\/(client\/[^/]+|[^/]+)(?=\/)|^credentials/;
/** Lines, about, that each room is meant to have (docs/dev/architecture.md). */
const MEANT = new Map(
	[
		'nodes 95, resources 345, panel 550, editor 260, lookup 150, rows 3400, insights 600, trigger 1450',
		'host 800, text 380, client 440, client/http 900, client/pace 560, client/list 330, client/create 620, client/same 200',
	]
		.flatMap((line) => line.split(', '))
		.map((text) => text.split(' ') as [room: string, lines: string]),
);
const LONGEST = 5;

const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Lines of the TypeScript, JavaScript and YAML of a folder, by path; lock files are none of these. */
export function linesIn(...folders: string[]): Map<string, number> {
	const files = filesIn(...folders).filter((path) => /\.([cm]?[jt]s|ya?ml)$/.test(path));
	return new Map(files.map((path) => [path, textOf(path).split('\n').length - 1]));
}

export const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, one) => all + one, 0);

function main(): void {
	const shipped = linesIn('nodes', 'credentials');
	const rooms = new Map<string, number>();
	for (const [path, lines] of shipped) {
		const room = ROOM.exec(path)?.[0].replace('nodes/LocalSeo/', '') ?? 'nodes';
		rooms.set(room, (rooms.get(room) ?? 0) + lines);
	}
	const stores = [...shipped.keys()].map((path) => textOf(path).match(/new BoundedMap\b/g) ?? []);
	const longest = [...shipped].sort(([, a], [, b]) => b - a).slice(0, LONGEST);
	const inRooms = [...rooms].sort().map(([room, lines]) => [room, lines, MEANT.get(room) ?? '–']);
	console.log(tableOf(['room', 'lines', 'meant, about'], inRooms));
	console.log(`\nshipped: ${sum(shipped.values())} lines in ${shipped.size} files`);
	console.log(`longest: ${longest.map(([path, lines]) => `${path} ${lines}`).join(', ')}`);
	console.log(`bounded stores: ${stores.flat().length}`);
	for (const folder of ['dev', 'test']) {
		const lines = linesIn(folder);
		console.log(`${folder}: ${sum(lines.values())} lines in ${lines.size} files`);
	}
}

if (require.main === module) main();
