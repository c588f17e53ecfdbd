import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { MEASURED, shown } from '../n8n/home';
import { flagsOf, whole } from '../n8n/flags';
import { runProgram } from '../n8n/program';
import { type Cost, costOf } from './growthJob';
import { flawsIn, type Growth, pageOf, SERIES } from './growthPage';
import { plotOf } from './growthPlot';

const PAGE = join(MEASURED, 'growth.md');
const PLOT = join(MEASURED, 'growth.svg');

const ABOUT =
	"Measures time and memory of ever longer lists and sheets in n8n's engine, and writes growth.md and growth.svg. Fails if they grow faster than the number of records.";

const readFlags = () =>
	flagsOf('npx gulp bench:growth', ABOUT)
		.option('--runs <number>', 'how often each size runs; the cheapest run counts', whole(1), 3)
		.parse()
		.opts<{ runs: number }>();

/** The cheapest of several runs: whatever else the machine does only ever adds to one. */
function cheapest(costs: Cost[]): Cost {
	const least = (name: keyof Cost) => Math.min(...costs.map((cost) => cost[name]));
	return {
		seconds: least('seconds'),
		cpuSeconds: least('cpuSeconds'),
		held: least('held'),
		peak: least('peak'),
	};
}

async function growthOf(series: (typeof SERIES)[number], runs: number): Promise<Growth> {
	const { kind, title, counts } = series;
	const costs = new Map<number, Cost[]>(counts.map((count) => [count, []]));
	for (let round = 1; round <= runs; round++) {
		console.log(`${title} (${round} of ${runs})`);
		for (const count of counts) {
			const cost = await costOf(kind, count);
			costs.get(count)?.push(cost);
			const { seconds, cpuSeconds, peak } = cost;
			const memory = `${Math.round(peak / 2 ** 20)} MB at most`;
			console.log(`  ${count}: ${seconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} s CPU, ${memory}`);
		}
	}
	const points = counts.map((count) => ({ count, cost: cheapest(costs.get(count) ?? []) }));
	return { series, points };
}

/** Returns whether nothing grows faster than it may. */
async function measure(): Promise<boolean> {
	const { runs } = readFlags();
	const growths: Growth[] = [];
	for (const series of SERIES) growths.push(await growthOf(series, runs));
	const page = await format(pageOf(growths, runs), { parser: 'markdown' });
	console.log(`\n${page}`);
	writeFileSync(PAGE, page);
	writeFileSync(PLOT, plotOf(growths));
	console.log(`Written to ${shown(PAGE)} and ${shown(PLOT)}`);
	const flaws = growths.flatMap(flawsIn);
	for (const flaw of flaws) console.error(flaw);
	return flaws.length === 0;
}

void runProgram(measure);
