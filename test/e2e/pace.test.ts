import type { IDataObject } from 'n8n-workflow';

import { http } from '../../dev/n8n/http';
import { ledgerOf, NOTHING_WRONG } from '../../dev/n8n/ledger';
import { createPosts, sheetOf } from '../support/sheet';
import { useN8n } from '../support/n8n';
import { step, to } from '../../dev/n8n/workflow';

const n8n = useN8n();
/** The rows have no time. */
const atOnce = { ...createPosts, whenToPublish: 'now' };

/** Rows come in by a webhook, each becomes a post, and the results go back. */
function workflow(name: string) {
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
			step('Create the post', 'n8n-nodes-local-seo.localSeo', 1, atOnce, {
				credentials: { localSeoApi: n8n.credential },
			}),
		],
		connections: {
			'Rows come in': to('One item a row'),
			'One item a row': to('Create the post'),
		},
	};
}

const send = async (address: string, rows: IDataObject[]) =>
	await http.post<IDataObject[]>(address, { rows });

test('twenty executions at once with the same key stay within the rate together, and post all rows once', async () => {
	const address = await n8n.publish(workflow('twenty'));
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
