import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format } from 'prettier';
import { MEASURED, shown } from '../n8n/home';
import { startSandbox } from '../sandbox';
import { flagsOf, whole } from '../n8n/flags';
import { runProgram } from '../n8n/program';
import { type Soak, soakFlawsIn, soakPageOf } from './soakPage';
import { Probe } from './soakProbe';
import { LOCATIONS, Traffic } from './soakTraffic';
import { openStage } from './stage';

const PAGE = join(MEASURED, 'soak.md');

const ABOUT =
	'Keeps one n8n busy with everything that the node does, while the service fails now and then, and writes soak.md. Fails if a record is lost or doubled, or if memory, sockets, timers or listeners are left behind.';

const readFlags = () =>
	flagsOf('npx gulp bench:soak', ABOUT)
		.option('--minutes <number>', 'how long', whole(1), 60)
		.parse()
		.opts<{ minutes: number }>();

async function soak(minutes: number): Promise<Soak> {
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-soak-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const file = join(folder, 'probe.jsonl');
	const probe = new Probe(file);
	const sandbox = await startSandbox({ locations: LOCATIONS, latencyMs: 20 });
	console.log('Building the node, installing the package into n8n and starting it …');
	const stage = await openStage({
		EXTERNAL_HOOK_FILES: join(__dirname, 'probe.cjs'),
		PROBE_FILE: file,
		PROBE_PORT: new URL(sandbox.origin).port,
		// Says where a warning comes from.
		NODE_OPTIONS: '--trace-warnings',
	});
	try {
		const traffic = await Traffic.prepare(stage, sandbox);
		const start = await probe.atRest();
		const [from, until] = [Date.now(), Date.now() + minutes * 60_000];
		const report = setInterval(() => {
			const { heapUsed = 0 } = probe.looks.at(-1) ?? {};
			const heap = `${Math.round(heapUsed / 2 ** 20)} MB of heap`;
			const passed = `${Math.round((Date.now() - from) / 60_000)} of ${minutes} minutes`;
			const wrong = `${traffic.tally.unexpected.length} unexpected`;
			console.log(`  ${passed}: ${sandbox.requests.length} requests, ${heap}, ${wrong}`);
		}, 60_000);
		await traffic.run(until);
		clearInterval(report);
		const end = await probe.atRest();
		return {
			minutes,
			tally: traffic.tally,
			requests: sandbox.requests,
			looks: probe.looks.filter(({ at }) => at >= from && at <= until),
			start,
			end,
			log: readFileSync(stage.log, 'utf8'),
		};
	} finally {
		await stage.close();
		await sandbox.close();
	}
}

/** Returns whether nothing was wrong. */
async function run(): Promise<boolean> {
	const result = await soak(readFlags().minutes);
	const page = await format(await soakPageOf(result), { parser: 'markdown' });
	console.log(`\n${page}`);
	writeFileSync(PAGE, page);
	console.log(`Written to ${shown(PAGE)}`);
	const flaws = soakFlawsIn(result);
	for (const flaw of flaws) console.error(flaw);
	return flaws.length === 0;
}

void runProgram(run);
