import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { exampleWith, WORKFLOWS } from '../../dev/demo/setup';
import { itemsOf, resultsOf } from '../../dev/n8n/execution';
import { pollingOften, useN8n } from '../support/n8n';
import { AFTER_A_POLL, until } from '../../dev/n8n/until';

const n8n = useN8n();

/** The sheets that the other example has written. */
function sheets(): string {
	return readdirSync(n8n.files)
		.filter((name) => name.startsWith('scans-'))
		.map((name) => readFileSync(join(n8n.files, name), 'utf8'))
		.join('\n');
}

/** A keyword falls to a place that it never had. */
function fall(index: number, position: number) {
	const { account } = n8n.sandbox;
	const location = account.locations[index];
	const keyword = account.keywordsOf(location.id).find((one) => one.position !== null)!;
	account.addScan(keyword, position);
	return {
		location: `${location.name}, ${location.city}`,
		keyword: keyword.keyword,
		to: String(position),
	};
}

/** Polls with a key: each reads the first page of the locations once. */
const polls = (key: 'read' | 'write') =>
	n8n.sandbox.requests.filter(
		({ path, scope, query }) =>
			scope === key && path.endsWith('/locations') && query.page === undefined,
	).length;

/** Waits for two polls from now on: when the second begins, the first one is over. */
async function untilPolled(...keys: Array<'read' | 'write'>): Promise<void> {
	const before = keys.map(polls);
	const havePolled = () => keys.every((key, index) => polls(key) >= before[index] + 2);
	await until('two polls', havePolled, AFTER_A_POLL);
}

test('a published workflow is started once by a rank that dropped, even across a restart', async () => {
	// Two locations, which the first poll learns on any machine.
	const { account } = n8n.sandbox;
	for (const { id } of account.locations.slice(2)) account.removeLocation(id);
	// Each with a key of its own, so that their requests can be distinguished.
	const alert = await n8n.activate(pollingOften(exampleWith(n8n.credential, WORKFLOWS.rankDrop)));
	const messages = async () =>
		(await resultsOf(n8n.rest, alert)).flatMap((result) => itemsOf(result, 'The message'));
	const untilMessages = async (count: number) =>
		await until(
			`${count} messages`,
			async () => {
				const all = await messages();
				return all.length >= count ? all : undefined;
			},
			AFTER_A_POLL,
		);
	await n8n.activate(pollingOften(exampleWith(n8n.readOnly, WORKFLOWS.scans)));
	await untilPolled('write', 'read');
	const first = fall(0, 91);
	const [told] = await untilMessages(1);
	expect(told).toMatchObject(first);
	expect(told.message).toBe(`${first.location}: "${first.keyword}" fell from ${told.from} to 91`);

	await until('the sheet', () => sheets() !== '', AFTER_A_POLL);
	expect(sheets()).toContain(`,${first.keyword},91,${told.from}`);

	await n8n.stop();
	const second = fall(1, 92);
	await n8n.start();
	expect((await untilMessages(2))[1]).toMatchObject(second);

	// What comes next has nothing new to report.
	await untilPolled('write');
	expect(await messages()).toHaveLength(2);
});
