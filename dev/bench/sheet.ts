import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { flagsOf } from '../n8n/flags';
import { runNode } from '../../test/support/engine';

/*
 * What it costs to read a sheet: the processor time of a run of 1,000 rows in n8n's engine with dates as
 * people write them and headings of their own, beside the same rows as the service names and writes them.
 */
const ROWS = 1_000;
const ROUNDS = 7;
/** How much longer a run may take. */
const MOST = 1.05;

const server = createServer((request, response) => {
	request.resume();
	request.on('end', () => {
		const data = request.method === 'GET' ? [POST] : { id: `post_${Math.random()}` };
		const meta = { current_page: 1, per_page: 15, total: 1 };
		response.writeHead(request.method === 'GET' ? 200 : 201, {
			'Content-Type': 'application/json',
		});
		response.end(JSON.stringify(request.method === 'GET' ? { data, meta } : { data }));
	});
});
const POST = { id: 'post_1', title: 'Old', content: 'Old', publish_at: '2026-01-05T09:00:00Z' };

type Sheet = (index: number) => object;
const asService: Sheet = (index) => ({
	title: `Offer number ${index}`,
	content: `What row ${index} says`,
	publish_at: '2027-12-24T09:00:00-05:00',
});
const asPeople: Sheet = (index) => ({
	Title: `Offer number ${index}`,
	Content: `What row ${index} says`,
	'Publish At': `${(index % 28) + 1}.12.2027 9:${10 + (index % 50)}`,
});

async function main(): Promise<void> {
	flagsOf(
		'npx gulp bench:sheet',
		'What it costs to read a sheet as people write it; fails if that is too much.',
	).parse();
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	const { port } = server.address() as AddressInfo;
	let runs = 0;
	const measure = async (sheet: Sheet) => {
		const before = process.cpuUsage();
		const { error, json } = await runNode({
			// A key of its own: nothing is known of its pace.
			credential: { baseUrl: `http://127.0.0.1:${port}/api/v1`, apiKey: `key-${runs++}` },
			parameters: {
				resource: 'post',
				operation: 'create',
				locationId: { __rl: true, mode: 'id', value: 'loc_1' },
				fields: { mappingMode: 'autoMapInputData', value: null },
				ifExists: 'create',
			},
			rows: Array.from({ length: ROWS }, (_, index) => sheet(index)),
		});
		if (error ?? json.length !== ROWS) throw error ?? new Error(`${json.length} rows`);
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1_000;
	};
	const times: Record<string, number[]> = { asService: [], asPeople: [] };
	for (let round = 0; round <= ROUNDS; round++) {
		for (const [name, sheet] of Object.entries({ asService, asPeople })) {
			const took = await measure(sheet);
			// The first round warms up.
			if (round > 0) times[name].push(took);
		}
	}
	server.close();
	const [service, people] = [times.asService, times.asPeople].map((all) => Math.min(...all));
	const ratio = people / service;
	console.log(
		`${ROWS} rows, processor time: ${service.toFixed(0)} ms as the service writes them, ${people.toFixed(0)} ms as people do: ${ratio.toFixed(3)} (at most ${MOST})`,
	);
	process.exit(ratio <= MOST ? 0 : 1);
}

void main();
