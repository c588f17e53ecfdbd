import { DateTime } from 'luxon';

import { byId, columns, incomingRow, useSandbox } from '../support/fixture';
import { locationWithPosts } from '../support/operations';

const service = useSandbox();
const home = () => locationWithPosts(service).id;
/** What an execution of these rows sends, and with which message its first row fails. */
async function post(rows: object[], fields: object = incomingRow) {
	const { error, json } = await service.run(
		{
			resource: 'post',
			operation: 'create',
			locationId: byId(home()),
			fields: fields as never,
			ifExists: 'create',
		},
		{ rows: rows as never, settings: { onError: 'continueRegularOutput' } },
	);
	expect(error).toBeUndefined();
	const sent = service.sandbox.requests.filter(({ method }) => method === 'POST');
	return { json, sent: sent.map(({ body }) => body as Record<string, unknown>) };
}
const titled = (publish_at: unknown, index = 0) => ({
	title: `A ${index}`,
	content: 'B',
	publish_at,
});

// n8n's default time zone is New York.
test.each([
	['2026-12-20', '2026-12-20T00:00:00.000-05:00'],
	['2026-07-20', '2026-07-20T00:00:00.000-04:00'],
	['2026-12-20T18:30', '2026-12-20T18:30:00.000-05:00'],
	['2026-12-20T18:30:00Z', '2026-12-20T18:30:00Z'],
	['weekly', 'weekly'],
])(
	'%p, where something is to happen, is sent in the time zone of the workflow: %p',
	async (given, shown) => {
		for (const fields of [incomingRow, mapped('={{ $json.publish_at }}')]) {
			const { sent } = await post([titled(given)], fields);
			expect(sent.at(-1)).toMatchObject({ publish_at: shown });
		}
	},
);

test('a day in a field that takes days stays one', async () => {
	const { sent } = await post([{ title: 'A', content: 'B', publish_date: '2026-12-20' }]);
	expect(sent).toMatchObject([{ publish_date: '2026-12-20' }]);
});

const schema = [{ id: 'publish_at', displayName: 'Publish At', type: 'dateTime' }];
const mapped = (publish_at: string) => ({
	...columns({ publish_at, title: '={{ $json.title }}' }),
	schema: publish_at.includes('when') ? schema : [],
});

test.each([
	['25.12.2026', ", or map it with {{ DateTime.fromFormat($json.when, 'd.M.yyyy').toISODate() }}"],
	[
		'25.12.26 18:00',
		", or map it with {{ DateTime.fromFormat($json.when, 'd.M.yy HH:mm').toISO() }}",
	],
	['12/25/2026', ", or map it with {{ DateTime.fromFormat($json.when, 'M/d/yyyy').toISODate() }}"],
	[
		'03/04/2027',
		", or map it with {{ DateTime.fromFormat($json.when, 'd/M/yyyy').toISODate() }}, with 'M/d/yyyy' where the month comes first",
	],
	['soon', ''],
])('a day as people write it, %p: %s', async (when, advice) => {
	const { json, sent } = await post([{ title: 'A', when }], mapped('={{ $json.when }}'));
	expect(sent).toEqual([]);
	expect(json[0].error).toMatchObject({
		message: expect.stringMatching(/The field "Publish At" is not a date, such as/),
		description: `Its value is "${when}". Nothing was sent. Write it as 2026-12-31 or 2026-12-31T18:00${advice}.`,
	});
});

test('the expression converts days with and without zeros', () => {
	const days = ['1.2.2027', '01.02.2027'].map((day) => DateTime.fromFormat(day, 'd.M.yyyy'));
	expect(days.map((day) => day.toISODate())).toEqual(['2027-02-01', '2027-02-01']);
});

test('a column with a long name is written as n8n does', async () => {
	const rows = [{ title: 'A', 'Goes live when': '25.12.2026' }];
	const { json } = await post(rows, mapped('={{ $json["Goes live when"] }}'));
	expect(json[0].error).toMatchObject({
		description: expect.stringContaining(`DateTime.fromFormat($json["Goes live when"], 'd.M`),
	});
});
