// `npm run bench`: lists, posts and limits beside n8n's HTTP Request node in the real n8n. Writes
// docs/dev/bench.md, and fails if a bound is missed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sumBy from 'lodash/sumBy';
import { format } from 'prettier';
import { Complaint } from '../n8n/complaint';
import { flagsOf, whole } from '../n8n/flags';
import { ROOT, temporaryHome } from '../n8n/home';
import { installHost, machine, startHost } from '../n8n/host';
import { installPackage } from '../n8n/nodePackage';
import { freePort } from '../n8n/port';
import { type Program, runProgram } from '../n8n/program';
import { logIn, type Rest } from '../n8n/rest';
import { type Contender, type Job, JOBS } from './jobs';
import { measure, type Measurement } from './measure';

/** The measurements of a job: of each contender, in the order of the repetitions. */
type Results = Map<Contender, Measurement[]>;

const readRuns = () =>
	flagsOf('npm run bench', 'Measures side by side; writes docs/dev/bench.md.')
		.option('--runs <number>', 'how often each contender runs', whole(1), 3)
		.parse()
		.opts<{ runs: number }>().runs;

async function startN8n(program: Program): Promise<Rest> {
	console.log('Building the node, installing the package into n8n and starting it …');
	await installHost();
	const home = temporaryHome('bench');
	await installPackage(home);
	const { url, stop } = await startHost(home, await freePort());
	program.atEnd(stop);
	return await logIn(url, home);
}

/** Runs the contenders of a job in turn, so that a slow moment of the machine affects all of them. */
async function play(rest: Rest, job: Job, runs: number): Promise<Results> {
	const results: Results = new Map(job.contenders.map((one) => [one, []]));
	for (let round = 1; round <= runs; round++) {
		console.log(`${job.title} (${round} of ${runs})`);
		for (const [contender, all] of results) all.push(await measure(rest, job, contender));
	}
	return results;
}

/** Of an even number, the greater one of the two in the middle. */
const median = (numbers: number[]) =>
	[...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** A row for each contender; the sums of lost and doubled records, since a median could hide one. */
const rowsOf = (job: Job, results: Results) =>
	[...results].map(([{ name }, all]) => [
		name === 'Local SEO' ? job.title : '',
		`${name}${all.some(({ hasFailed }) => hasFailed) ? ' (failed)' : ''}`,
		median(all.map(({ seconds }) => seconds)).toFixed(1),
		median(all.map(({ requests }) => requests)),
		sumBy(all, 'lost'),
		sumBy(all, 'doubled'),
	]);

/** What Local SEO has missed of its bounds. */
function missedIn({ title, bound }: Job, results: Results): string[] {
	const [own, other] = results.values();
	const wrong = sumBy(own, 'lost') + sumBy(own, 'doubled');
	// Within each repetition: what slows the machine down for a while affects both.
	const ratios = own.map(({ seconds }, at) => seconds / (bound?.seconds ?? other[at].seconds));
	const isSlow = bound && median(ratios) > bound.atMost;
	return [
		...(wrong > 0 ? [`${title}: ${wrong} lost or doubled`] : []),
		...(isSlow ? [`${title}: ${median(ratios).toFixed(2)}, at most ${bound.atMost}`] : []),
	];
}

async function bench(program: Program): Promise<boolean> {
	const runs = readRuns();
	const rest = await startN8n(program);
	const head = ['Job', 'Node', 'Seconds', 'Requests', 'Lost', 'Doubled'];
	const table: Array<Array<string | number>> = [head, ['---', '---', ...Array(4).fill('--:')]];
	const missed: string[] = [];
	for (const job of JOBS) {
		const results = await play(rest, job, runs);
		const rows = rowsOf(job, results);
		for (const cells of rows) console.log(`  ${cells.slice(1).join(', ')}`);
		table.push(...rows);
		missed.push(...missedIn(job, results));
	}
	const page = `# Speed and reliability, measured side by side

Written by \`npm run bench\` (${await machine()} with SQLite): the median of ${runs} runs each, and the sums of what was lost or doubled. **HTTP Request** is n8n's own node with Header Auth, its pagination, and body fields filled by expressions. Each run has a service of its own, whose limits the node does not know yet.

${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}
`;
	writeFileSync(join(ROOT, 'docs', 'dev', 'bench.md'), await format(page, { parser: 'markdown' }));
	if (missed.length > 0) throw new Complaint(`Bounds that are missed:\n${missed.join('\n')}`);
	return true;
}

void runProgram(bench);
