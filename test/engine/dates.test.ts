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
	[
		['25.12.2026'],
		`Write 2026-12-25, or map it with {{ DateTime.fromFormat($json.when, 'dd.MM.yyyy').toISODate() }}.`,
	],
	[
		['1.2.2027'],
		`Write 2027-02-01, or map it with {{ DateTime.fromFormat($json.when, 'd.M.yyyy').toISODate() }}.`,
	],
	[
		['25.12.26 18:00'],
		`Write 2026-12-25T18:00, or map it with {{ DateTime.fromFormat($json.when, 'dd.MM.yy HH:mm').toISO() }}.`,
	],
	[['03/04/2027'], 'Write 2027-04-03 or 2027-03-04.'],
	[
		['03/04/2027', '12/25/2026'],
		`Write 2027-03-04, or map it with {{ DateTime.fromFormat($json.when, 'MM/dd/yyyy').toISODate() }}.`,
	],
	[
		['03/04/2027', '25/12/2026'],
		`Write 2027-04-03, or map it with {{ DateTime.fromFormat($json.when, 'dd/MM/yyyy').toISODate() }}.`,
	],
	[['32.12.2026'], 'Write it as 2026-12-31 or 2026-12-31T18:00.'],
	[['soon'], 'Write it as 2026-12-31 or 2026-12-31T18:00.'],
])('a day as people write it, %p: %s', async (days, advice) => {
	const rows = days.map((when, index) => ({ title: `A ${index}`, when }));
	const { json, sent } = await post(rows, mapped('={{ $json.when }}'));
	expect(sent).toEqual([]);
	expect(json[0].error).toMatchObject({
		message: expect.stringMatching(/The field "Publish At" is not a date, such as/),
		description: `Its value is "${days[0]}". Nothing was sent. ${advice}`,
	});
});

test('a column with a long name is written as n8n does', async () => {
	const rows = [{ title: 'A', 'Goes live when': '25.12.2026' }];
	const { json } = await post(rows, mapped('={{ $json["Goes live when"] }}'));
	expect(json[0].error).toMatchObject({
		description: expect.stringContaining(`DateTime.fromFormat($json["Goes live when"], 'dd.MM`),
	});
});
