import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { Complaint } from '../n8n/complaint';
import { MEASURED, ROOT, shown } from '../n8n/home';
import { withBlock } from '../n8n/markdown';
import type { Contender } from './contenders';
import { type Flags, HELP, readFlags } from './flags';
import { measure, type Measurement } from './measure';
import { pageOf } from './page';
import { readmeTable } from './readme';
import { type Scenario, SCENARIOS } from './scenarios';
import { openStage, type Stage } from './stage';
import { missedIn, type Result } from './table';

const RESULTS = join(MEASURED, 'bench.md');
const README = join(ROOT, 'README.md');

function chosen({ only }: Flags): Scenario[] {
	const scenarios = SCENARIOS.filter(({ number }) => only?.includes(number) ?? true);
	if (scenarios.length > 0) return scenarios;
	throw new Complaint(`There is no scenario ${only?.join(', ')}.\n\n${HELP}`);
}

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

async function bench(flags: Flags): Promise<void> {
	const scenarios = chosen(flags);
	console.log('Building the node, installing the package into n8n and starting it …');
	const stage = await openStage();
	const results: Result[] = [];
	try {
		for (const scenario of scenarios) results.push(await play(stage, scenario, flags.runs));
	} finally {
		await stage.close();
	}
	const page = await format(await pageOf(results, flags.runs), { parser: 'markdown' });
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
}

async function main(): Promise<void> {
	// Leaving by `exit` ends n8n and removes its folder.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => process.exit(1));
	}
	try {
		const flags = readFlags(process.argv.slice(2));
		if (flags.help) console.log(HELP);
		else await bench(flags);
		process.exit(0);
	} catch (error) {
		console.error(error instanceof Complaint ? `\n${error.message}` : error);
		process.exit(1);
	}
}

void main();
