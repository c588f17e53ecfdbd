// `npx gulp house`: how large the house is. Lines of each room, the longest files, the bounded stores,
// and the files that a normal row runs: those with a function that V8 counted while one row was posted.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { flagsOf } from '../n8n/flags';
import { ROOT } from '../n8n/home';
import { tableOf } from '../n8n/markdown';
import { filesIn } from './files';
import { startSandbox } from '../sandbox';
import { runNode } from '../../test/support/engine';
import { postSheet } from '../../test/support/sheet';

const ROOM = /^nodes\/LocalSeo\/(client\/[^/]+|[^/]+)(?=\/)|^credentials/;
/** Lines, about, that each room is meant to have (docs/dev/architecture.md). */
const MEANT: Record<string, number> = {
	nodes: 110,
	resources: 320,
	panel: 400,
	editor: 240,
	lookup: 140,
	rows: 2300,
	insights: 420,
	trigger: 1000,
	host: 800,
	text: 330,
	client: 440,
	'client/http': 800,
	'client/pace': 520,
	'client/list': 280,
	'client/create': 480,
	'client/same': 80,
};
const STORE = /new BoundedMap\b/g;
const LONGEST = 5;

/** The lines of the TypeScript of some folders, by path. */
function linesIn(...folders: string[]): Map<string, number> {
	const files = filesIn(...folders).filter((path) => path.endsWith('.ts'));
	return new Map(files.map((path) => [path, textOf(path).split('\n').length - 1]));
}

const textOf = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8');
const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, one) => all + one, 0);

const DECLARED =
	/^(?:export )?(?:async )?(?:abstract )?(?:function|class|const|type|interface) ([A-Za-z_]\w*)/gm;
const EXPORTED =
	/^export (?:async )?(?:abstract )?(?:function|class|const|type|interface) ([A-Za-z_]\w*)/gm;

/** Names that are declared at the top of more than one file; constants in capitals are a file's own. */
function namesWithTwoOwners(paths: Iterable<string>, form: RegExp): string[] {
	const owners = new Map<string, number>();
	for (const path of paths) {
		for (const name of new Set([...textOf(path).matchAll(form)].map(([, one]) => one))) {
			if (!/^[A-Z0-9_]+$/.test(name)) owners.set(name, (owners.get(name) ?? 0) + 1);
		}
	}
	return [...owners].flatMap(([name, count]) => (count > 1 ? [name] : [])).sort();
}

/** Paths of the shipped files of which a function runs while a row becomes a post. */
async function filesOfARow(): Promise<string[]> {
	const sandbox = await startSandbox();
	const post = async (title: string) =>
		await runNode({
			credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.write },
			rows: [{ location_id: sandbox.account.locations[0].id, title, content: 'From 8 to 12.' }],
			parameters: postSheet,
		});
	// What is only set up once is not the row's.
	await post('Open on Sunday');
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	await post('Open on Monday');
	const { result } = await session.post('Profiler.takePreciseCoverage');
	session.disconnect();
	await sandbox.close();
	const ran = result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0));
	return ran
		.filter(({ url }) => url.startsWith('file:'))
		.map(({ url }) => relative(ROOT, fileURLToPath(url)))
		.filter((path) => path.startsWith('nodes/') || path.startsWith('credentials/'))
		.sort();
}

async function main(): Promise<void> {
	const flags = flagsOf('npx gulp house')
		.option('--files', 'also the files that a normal row runs')
		.option('--names', 'also the names with two owners')
		.parse()
		.opts<{ files?: boolean; names?: boolean }>();
	const shipped = linesIn('nodes', 'credentials');
	const rooms = new Map<string, number>();
	for (const [path, lines] of shipped) {
		const room = ROOM.exec(path)?.[0].replace('nodes/LocalSeo/', '') ?? 'nodes';
		rooms.set(room, (rooms.get(room) ?? 0) + lines);
	}
	const stores = sum([...shipped.keys()].map((path) => textOf(path).match(STORE)?.length ?? 0));
	const longest = [...shipped].sort(([, a], [, b]) => b - a).slice(0, LONGEST);
	const ofARow = await filesOfARow();
	const inRooms = [...rooms].sort().map(([room, lines]) => [room, lines, MEANT[room] ?? '–']);
	console.log(tableOf(['room', 'lines', 'meant, about'], inRooms));
	console.log(`\nshipped: ${sum(shipped.values())} lines in ${shipped.size} files`);
	console.log(`longest: ${longest.map(([path, lines]) => `${path} ${lines}`).join(', ')}`);
	console.log(`bounded stores: ${stores}`);
	console.log(`files that a normal row runs: ${ofARow.length}`);
	if (flags.files) console.log(ofARow.join('\n'));
	console.log(`tests: ${sum(linesIn('test').values())} lines`);
	const rows = [...shipped.keys()].filter((path) => path.startsWith('nodes/LocalSeo/rows/'));
	const knowN8n = rows.filter((path) => textOf(path).includes("from 'n8n-workflow'"));
	console.log(`files of rows that import n8n: ${knowN8n.length}`);
	const [exported, all] = [EXPORTED, DECLARED].map((form) =>
		namesWithTwoOwners(shipped.keys(), form),
	);
	console.log(`top-level names with two owners: ${exported.length} exported, ${all.length} in all`);
	if (flags.names) console.log(all.join(' '));
	console.log(execFileSync(process.execPath, [join(__dirname, 'trace.cjs')], { encoding: 'utf8' }));
	process.exit();
}

void main();
