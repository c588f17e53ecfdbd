import { setTimeout as wait } from 'node:timers/promises';
import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';

import { ledgerOf, NOTHING_WRONG } from '../../harness/ledger';
import { createPosts, sheetOf } from '../support/sheet';
import { useN8n } from '../support/n8n';
import { until } from '../../harness/until';
import { step, to } from '../../harness/workflow';

jest.setTimeout(240_000);

const n8n = useN8n();

/** Rows come in by a webhook, each becomes a post, and the results go back. */
function workflow(name: string, settings: object) {
	return {
		name,
		nodes: [
			step(
				'Rows come in',
				'n8n-nodes-base.webhook',
				2,
				{ path: name, httpMethod: 'POST', responseMode: 'lastNode', responseData: 'allEntries' },
				{ webhookId: name },
			),
			step('One item a row', 'n8n-nodes-base.splitOut', 1, {
				fieldToSplitOut: 'body.rows',
				options: {},
			}),
			step('Create the post', 'n8n-nodes-local-seo.localSeo', 1, createPosts, {
				credentials: { localSeoApi: n8n.credential },
				...settings,
			}),
		],
		connections: {
			'Rows come in': to('One item a row'),
			'One item a row': to('Create the post'),
		},
	};
}

const send = async (address: string, rows: IDataObject[]) =>
	await axios.post<IDataObject[]>(address, { rows }, { proxy: false, validateStatus: () => true });

beforeEach(() => n8n.sandbox.reset());

test('twenty executions at once with the same key stay within the rate together, and post all rows once', async () => {
	const address = await n8n.publish(workflow('twenty', {}));
	n8n.sandbox.setRateLimit(40);
	const rows = sheetOf(n8n.sandbox, 400);
	const parts = Array.from({ length: 20 }, (_, index) => rows.slice(index * 20, index * 20 + 20));
	const answers = await Promise.all(parts.map(async (part) => await send(address, part)));
	n8n.sandbox.setRateLimit();

	expect(answers.map(({ status }) => status)).toEqual(parts.map(() => 200));
	const results = answers.flatMap(({ data }) => data);
	expect(ledgerOf(n8n.sandbox, rows, results)).toEqual(NOTHING_WRONG);

	// Without a common pace nearly every request of twenty executions would be refused at first.
	const refused = n8n.sandbox.requests.filter(({ status }) => status === 429).length;
	expect(refused).toBeLessThan(rows.length / 2);
});

test('Retry On Fail, three tries, a bad row first: every good row is posted once', async () => {
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
	const address = await n8n.publish(workflow('retry', settings));
	const good = sheetOf(n8n.sandbox, 9);
	const bad = { ...good[0], location_id: 'loc_nowhere' };
	const { status } = await send(address, [bad, ...good]);
	expect(status).toBe(500);
	const posted = (answer: number) =>
		n8n.sandbox.requests.filter((one) => one.method === 'POST' && one.status === answer).length;
	// The webhook may answer before the last try has ended.
	await until('the third try', () => posted(404) >= 3);
	await wait(500);

	expect(posted(404)).toBe(3);
	expect(posted(201)).toBe(9);
	expect(ledgerOf(n8n.sandbox, good, []).twice).toEqual([]);
});

test('Retry On Fail together with Continue: the same, and the good rows come out', async () => {
	const settings = {
		retryOnFail: true,
		maxTries: 3,
		waitBetweenTries: 100,
		onError: 'continueRegularOutput',
	};
	const address = await n8n.publish(workflow('retry-continue', settings));
	const good = sheetOf(n8n.sandbox, 9);
	const bad = { ...good[0], location_id: 'loc_nowhere' };
	const { status, data } = await send(address, [bad, ...good]);
	expect(status).toBe(200);
	expect(data[0]).toMatchObject({ ...bad, error: { httpCode: '404' } });
	expect(ledgerOf(n8n.sandbox, good, data.slice(1))).toEqual(NOTHING_WRONG);
});
