import type { Fault, Sandbox } from '../../../dev/sandbox';
import { startSandbox } from '../../../dev/sandbox';
import { fixtureOf, freshSandbox, onItsOwn } from '../../support/fixture';
import { useShortWatch } from '../../support/shortWatch';
import { ledgerOf, NOTHING_WRONG } from '../../../dev/n8n/ledger';
import { createPosts, postSheet, sheetOf } from '../../support/sheet';

// What is done late is a matter of virtual time (test/simulation/worlds): here a busy machine would decide.
useShortWatch(1 / 50);
/** Milliseconds; what is answered is answered far sooner, also on a slow machine with all tests under way. */
const TIMEOUT = 6_000;

const refusal = (status: number, headers?: Record<string, string>) => ({
	response: { status, headers },
});
const says500 = { response: { status: 500, body: { message: 'x' } } };

/** What happens to the first three requests; node/ordinary has all that services and gateways say. */
const faults: Array<[string, () => Fault]> = [
	['reset before the service acted', () => ({ dropConnection: true })],
	['reset after it', () => ({ actFirst: true, dropConnection: true })],
	['a response cut in the middle', () => ({ actFirst: true, response: { cutAfterBytes: 20 } })],
	['a slow response', () => ({ actFirst: true, delayMs: 1.5 * TIMEOUT })],
	['504 in HTML, acted', () => ({ actFirst: true, response: { status: 504, body: '<html>' } })],
	['503 with a wait', () => refusal(503, { 'retry-after': '1' })],
	['429 with nothing', () => refusal(429)],
];

const requestOptions = { timeout: TIMEOUT };

// The first request loads half of n8n-core, which on a busy machine takes longer than a timeout.
beforeAll(async () => {
	const sandbox = await freshSandbox();
	await fixtureOf(() => sandbox).run(postSheet, { rows: sheetOf(sandbox, 1) });
	await sandbox.close();
});

// One after the other: on a busy machine, requests side by side would time out.
test.each(faults)(
	'%s: no row is lost, none is posted twice',
	onItsOwn(async ({ sandbox, run }, _name, fault) => {
		const rows = sheetOf(sandbox, 8);
		sandbox.faults.add({ times: 3, ...fault(), when: { method: 'POST' } });
		const { json, error } = await run({ ...postSheet, requestOptions }, { rows });
		expect(error).toBeUndefined();
		expect(ledgerOf(sandbox, rows, json)).toEqual(NOTHING_WRONG);
	}),
);

const goOn = { settings: { onError: 'continueRegularOutput' as const } };

test(
	"the service's own 500 is not sent again: what it made is found, what it did not make fails with its words",
	onItsOwn(async ({ sandbox, run }) => {
		const when = { method: 'POST' };
		sandbox.faults.add({ when, times: 2, ...says500 });
		sandbox.faults.add({ when, times: 2, actFirst: true, ...says500 });
		const rows = sheetOf(sandbox, 8);
		const { json, error } = await run({ ...postSheet, requestOptions }, { rows, ...goOn });
		expect(error).toBeUndefined();
		const { failed, ...others } = ledgerOf(sandbox, rows, json);
		expect({ ...others, failed: [] }).toEqual(NOTHING_WRONG);
		expect(failed).toHaveLength(2);
		for (const one of failed)
			expect(JSON.stringify(one)).toMatch(/The list does not show it so far/);
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(8);
	}),
);

test(
	'a lost answer to Create Another One ends in "Could not confirm", and nothing is sent again',
	onItsOwn(async ({ sandbox, run }) => {
		sandbox.faults.add({
			when: { method: 'POST' },
			times: 1,
			actFirst: true,
			dropConnection: true,
		});
		const rows = sheetOf(sandbox, 6);
		const { json, error } = await run({ ...createPosts, requestOptions }, { rows, ...goOn });
		expect(error).toBeUndefined();
		const { failed, twice } = ledgerOf(sandbox, rows, json);
		expect(twice).toEqual([]);
		expect(JSON.stringify(failed)).toMatch(/Could not confirm/);
		expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(6);
	}),
);

// Requests that are repeated need no moment of their own.
test.concurrent.each([...faults, ['500 in JSON', () => says500] as (typeof faults)[number]])(
	'%s: a list is read nevertheless',
	onItsOwn(async ({ sandbox, run }, _name, fault) => {
		sandbox.faults.add({ times: 3, ...fault(), when: { method: 'GET' } });
		const list = { resource: 'location', operation: 'getAll', returnAll: true };
		const { json, error } = await run({ ...list, requestOptions });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(64);
	}),
);

test(
	'a service that starts late is waited for',
	onItsOwn(async ({ sandbox, run }) => {
		const port = Number(new URL(sandbox.origin).port);
		await sandbox.close();
		const again = new Promise<Sandbox>((resolve) => {
			setTimeout(() => resolve(startSandbox({ port })), 100);
		});
		const rows = sheetOf(sandbox, 6);
		const { json, error } = await run(postSheet, { rows });
		const second = await again;
		expect(error).toBeUndefined();
		expect(ledgerOf(second, rows, json)).toEqual(NOTHING_WRONG);
		await second.close();
	}),
);
