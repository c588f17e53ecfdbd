import { ledgerOf, NOTHING_WRONG } from '../../../dev/n8n/ledger';
import type { Fault } from '../../../dev/sandbox';
import { fixtureOf, freshSandbox, goOn } from '../../support/fixture';
import { postSheet, sheetOf } from '../../support/sheet';
import { useShortWatch } from '../../support/shortWatch';

// Faults on real connections: no row is lost, none is posted twice. All else about faults is a matter of virtual
// time (test/simulation/worlds): here a busy machine would decide.

useShortWatch(1 / 50);

/** Milliseconds; what is answered is answered far sooner, also on a slow machine with all tests under way. */
const TIMEOUT = 6_000;
const parameters = { ...postSheet, requestOptions: { timeout: TIMEOUT } };

// The first request loads half of n8n-core, which on a busy machine takes longer than a timeout.
beforeAll(async () => {
	const sandbox = await freshSandbox();
	await fixtureOf(() => sandbox).run(postSheet, { rows: sheetOf(sandbox, 1) });
	await sandbox.close();
});

const status = (code: number, headers?: Record<string, string>) => ({
	response: { status: code, headers, body: { message: 'Something is off' } },
});
const acted = { actFirst: true };
const lost = { dropConnection: true as const };
const bare = { body: undefined };

/** What happens to the first two creates: the service acts or not, and says so or not. */
test.concurrent.each<[string, Fault]>([
	['lose their connection', lost],
	['lose it after the post', { ...lost, ...acted }],
	['are cut off in their headers', { response: { cutAfterBytes: 0 }, ...acted }],
	['are cut off in their body', { response: { cutAfterBytes: 40 }, ...acted }],
	['are late', { delayMs: TIMEOUT + 100, ...acted }],
	['end at a gateway', { response: { status: 502, ...bare } }],
	['end at a gateway after the post', { response: { status: 504, ...bare }, ...acted }],
	['meet the 500 of the service after the post', { ...status(500), ...acted }],
	['are refused for now', status(429, { 'retry-after': '0.2' })],
])('creates that %s: each row is posted once', async (_, what) => {
	const sandbox = await freshSandbox({ locations: 3 });
	const rows = sheetOf(sandbox, 8);
	sandbox.faults.add({ ...what, when: { method: 'POST' }, times: 2 });
	const { json, error } = await fixtureOf(() => sandbox).run(parameters, { rows, ...goOn });
	expect(error).toBeUndefined();
	expect(ledgerOf(sandbox, rows, json)).toEqual(NOTHING_WRONG);
	await sandbox.close();
});
