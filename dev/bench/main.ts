import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { format, resolveConfig } from 'prettier';
import { Complaint } from '../n8n/complaint';
import { flagsOf, whole } from '../n8n/flags';
import { MEASURED, ROOT, shown } from '../n8n/home';
import { withBlock } from '../n8n/markdown';
import { runProgram } from '../n8n/program';
import type { Contender } from './contenders';
import { measure, type Measurement } from './measure';
import { pageOf } from './page';
import { readmeTable } from './readme';
import { type Scenario, SCENARIOS } from './scenarios';
import { openStage, type Stage } from './stage';
import { missedIn, type Result } from './table';

const RESULTS = join(MEASURED, 'bench.md');
const README = join(ROOT, 'README.md');

/** The flags of `npm run bench`; without `only`, all scenarios run. */
interface Flags {
	runs: number;
	only?: readonly Scenario[];
}

/** The scenarios with these numbers: `1,3`. */
function scenariosOf(numbers: string): Scenario[] {
	return numbers.split(',').map((number) => {
		const found = SCENARIOS.find((scenario) => scenario.number === Number(number));
		if (found) return found;
		throw new InvalidArgumentError(`There is no scenario ${number}.`);
	});
}

const readFlags = () =>
	flagsOf('npm run bench')
		.option(
			'--runs <number>',
			'how often each contender runs; the table shows medians',
			whole(1),
			3,
		)
		.option(
			'--only <numbers>',
			'run only these scenarios, e.g. 1,3; the page is then not written',
			scenariosOf,
		)
		.parse()
		.opts<Flags>();

function lineOf(name: string, { seconds, requests, lost, doubled, failure }: Measurement): string {
	const wrong = lost + doubled > 0 ? `, ${lost} lost, ${doubled} doubled` : '';
	const failed = failure ? `, failed: ${failure}` : '';
	return `  ${name}: ${seconds.toFixed(2)} s, ${requests} requests${wrong}${failed}`;
}

/** Runs the contenders of a scenario in turn, so that a slow moment of the machine affects all of them. */
async function play(stage: Stage, scenario: Scenario, runs: number): Promise<Result> {
	const { contenders, title } = scenario;
	const measurements = new Map<Contender, Measurement[]>(contenders.map((one) => [one, []]));
	for (let round = 1; round <= runs; round++) {
		console.log(`${title} (${round} of ${runs})`);
		for (const contender of contenders) {
			const measurement = await measure(stage, scenario, contender);
			measurements.get(contender)!.push(measurement);
			console.log(lineOf(contender.name, measurement));
		}
	}
	return { scenario, measurements };
}

async function bench(): Promise<boolean> {
	const { runs, only: scenarios = SCENARIOS } = readFlags();
	console.log('Building the node, installing the package into n8n and starting it …');
	const stage = await openStage();
	const results: Result[] = [];
	try {
		for (const scenario of scenarios) results.push(await play(stage, scenario, runs));
	} finally {
		await stage.close();
	}
	const page = await format(await pageOf(results, runs), { parser: 'markdown' });
	console.log(`\n${page}`);
	if (scenarios.length === SCENARIOS.length) {
		writeFileSync(RESULTS, page);
		const readme = withBlock(readFileSync(README, 'utf8'), 'bench', readmeTable(results));
		writeFileSync(
			README,
			await format(readme, { ...(await resolveConfig(README)), parser: 'markdown' }),
		);
		console.log(`Written to ${shown(RESULTS)} and ${shown(README)}`);
	}
	const missed = results.flatMap(missedIn);
	if (missed.length > 0) throw new Complaint(`Bounds that are missed:\n${missed.join('\n')}`);
	return true;
}

void runProgram(bench);
