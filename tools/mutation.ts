import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { Complaint } from '../harness/complaint';
import { ROOT } from '../harness/home';
import { blockOf, tableOf, withBlock } from '../harness/markdown';
import { runProgram } from '../harness/program';
import ROOMS from '../test/mutation/rooms.json';

/** What Stryker says of the mutants of each file, as far as it is used here. */
interface Report {
	files: Record<string, { mutants: Array<{ status: string }> }>;
}

const PAGE = join(ROOT, 'docs', 'dev', 'evidence.md');
const reportOf = (room: string) =>
	join(ROOT, 'coverage', `mutation-${room.replace('/', '-')}.json`);

/**
 * Changes the shipped code in thousands of small ways, runs the tests for each, and writes the scores
 * into docs/dev/evidence.md: `npm run mutation`. Takes hours at first; then only what has changed.
 *
 *     npm run mutation -- trigger   one room
 */
async function main(): Promise<boolean> {
	const rooms = process.argv.slice(2);
	const unknown = rooms.find((room) => !(room in ROOMS));
	if (unknown) throw new Complaint(`Unknown room "${unknown}": ${Object.keys(ROOMS).join(', ')}`);
	let isEnough = true;
	for (const room of rooms.length > 0 ? rooms : Object.keys(ROOMS)) {
		const env = { ...process.env, MUTATION_ROOM: room };
		const { status } = spawnSync('npx', ['stryker', 'run'], { cwd: ROOT, env, stdio: 'inherit' });
		isEnough &&= status === 0;
	}
	const page = readFileSync(PAGE, 'utf8');
	const text = withBlock(page, 'scores', scores(blockOf(page, 'scores')));
	writeFileSync(PAGE, await format(text, { ...(await resolveConfig(PAGE)), parser: 'markdown' }));
	return isEnough;
}

/** The scores of all rooms; those that were not checked here stay as they are. */
function scores(known: string): string {
	const head = ['', 'mutants', 'noticed', 'survived', 'not reached', 'score'];
	const rows = Object.keys(ROOMS).flatMap((room) => {
		const name = `\`${room}/\``;
		if (existsSync(reportOf(room))) return [[name, ...scoreOf(room)]];
		const row = known.split('\n').find((line) => line.startsWith(`| ${name}`));
		return row ? [row.split('|').slice(1, -1)] : [];
	});
	return tableOf(head, rows);
}

function scoreOf(room: string): Array<string | number> {
	const { files } = JSON.parse(readFileSync(reportOf(room), 'utf8')) as Report;
	const mutants = Object.values(files).flatMap((file) => file.mutants);
	const count = (...statuses: string[]) =>
		mutants.filter(({ status }) => statuses.includes(status)).length;
	const noticed = count('Killed', 'Timeout');
	const survived = count('Survived');
	const unreached = count('NoCoverage');
	const all = noticed + survived + unreached;
	return [all, noticed, survived, unreached, `${((100 * noticed) / all).toFixed(1)} %`];
}

void runProgram(main);
