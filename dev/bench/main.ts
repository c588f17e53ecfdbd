// `npm run bench`: lists, posts and limits beside n8n's HTTP Request node in the real n8n, and our share of
// the processor. Writes docs/dev/bench.md, and fails if a bound is missed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { Complaint } from '../n8n/complaint';
import { flagsOf, whole } from '../n8n/flags';
import { ROOT, shown } from '../n8n/home';
import { type Program, runProgram } from '../n8n/program';
import { type Job, JOBS } from './jobs';
import { measure, type Measurement, openStage, type Stage } from './measure';
import { missedIn, pageOf, type Result } from './page';
import { sharesOf } from './share';

const PAGE = join(ROOT, 'docs', 'dev', 'bench.md');

const readFlags = () =>
	flagsOf('npm run bench', 'Measures side by side; writes docs/dev/bench.md.')
		.option('--runs <number>', 'how often each contender runs', whole(1), 3)
		.option('--job <title>', 'this job alone, by a part of its title; writes nothing')
		.parse()
		.opts<{ runs: number; job?: string }>();

function lineOf(name: string, { seconds, requests, lost, doubled, failure }: Measurement): string {
	const wrong = lost + doubled > 0 ? `, ${lost} lost, ${doubled} doubled` : '';
	const failed = failure ? `, failed: ${failure}` : '';
	return `  ${name}: ${seconds.toFixed(2)} s, ${requests} requests${wrong}${failed}`;
}

/** Runs the contenders of a job in turn, so that a slow moment of the machine affects all of them. */
async function play(stage: Stage, job: Job, runs: number): Promise<Result> {
	const measurements: Result['measurements'] = new Map(job.contenders.map((one) => [one, []]));
	for (let round = 1; round <= runs; round++) {
		console.log(`${job.title} (${round} of ${runs})`);
		for (const [contender, all] of measurements) {
			const measurement = await measure(stage, job, contender);
			all.push(measurement);
			console.log(lineOf(contender.name, measurement));
		}
	}
	return { job, measurements };
}

async function bench(program: Program): Promise<boolean> {
	const { runs, job: part } = readFlags();
	const results: Result[] = [];
	console.log('Building the node, installing the package into n8n and starting it …');
	const stage = await openStage();
	program.atEnd(async () => await stage.close());
	const jobs = JOBS.filter(({ title }) => title.includes(part ?? ''));
	for (const job of jobs) results.push(await play(stage, job, runs));
	console.log("Rows in n8n's engine, under a profiler …");
	const shares = await sharesOf();
	if (part === undefined) {
		const page = await format(await pageOf(results, shares, runs), { parser: 'markdown' });
		writeFileSync(PAGE, page);
		console.log(`Written to ${shown(PAGE)}`);
	}
	const missed = missedIn(results, shares);
	if (missed.length > 0) throw new Complaint(`Bounds that are missed:\n${missed.join('\n')}`);
	return true;
}

void runProgram(bench);
