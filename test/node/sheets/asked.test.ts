import { byId, columns } from '../../support/fixture';
import { type Fields, useBackend } from '../backend';
import {
	additional,
	asks,
	byHand,
	type Case,
	check,
	christmas,
	CHRISTMAS,
	type Line,
	options,
	post,
	rowsOf,
	showing,
} from './outcomes';

// What a sheet leaves open is asked, once, before anything is sent.

const backend = useBackend();

const NOTES = [christmas({ Notiz: 'ask Ann', Leer: '' }), christmas({ 'Live ab': '1.12.' })];
const OF_N8N = { row_number: 2, submittedAt: 'x', formMode: 'test', createdTime: 'x', __EMPTY: 3 };
const OWN = { id: '1', created_at: 'x', ' ': 'x', ...OF_N8N };
const AS_TIME = { name: 'publish_at', type: 'dateTime', value: '={{ $json.When }}' };

test.each<Case>([
	[
		'a filled column that is no field stops the run, with all names, ready to be pasted',
		asks(
			[
				'Your sheet has columns that are no field of a content post: Notiz, Live ab |',
				"paste this into the option 'Exclude Columns': Notiz, Live ab.",
				'If one is meant, rename it: title, content, publish_at.',
			],
			...NOTES,
		),
	],
	...[{ excludeColumns: 'Notiz, Live ab' }, { ignoreExtraColumns: true }].map(
		(one): Case => [
			`${Object.keys(one).join()}: it is left out`,
			NOTES.map((cells) => [cells, CHRISTMAS]),
			options(one),
		],
	),
	[
		'where no column is a field, the whole sheet is meant for another mapping',
		asks(
			[
				'no field of a content post: Titel, Text, Notiz |',
				"None of yours is a field, so choose 'Map Each Column Manually' under Fields: title, content",
			],
			{ title: '', content: '', Titel: 'A', Text: 'B', Notiz: 'C' },
		),
	],
	['what the service and n8n set goes without a word', [[christmas(OWN), CHRISTMAS]]],
	[
		'status is asked about',
		asks(
			['no field of a content post: Status |', "Rows are sent whatever 'Status' says"],
			christmas({ ...OWN, Status: 'Draft' }),
		),
		{},
		{ status: 'published' },
	],
	[
		'the time to publish is read as a time, whatever its type in Additional Fields',
		[[christmas({ When: '2027-12-25' }), { publish_at: '2027-12-25T00:00:00+01:00' }]],
		additional({ name: 'publish_at', type: 'json', value: '="{{ $json.When }}"' }),
	],
	[
		'a named match field that the row leaves blank is asked about',
		asks(['The row has no sku, by which content posts are told apart'], christmas({ sku: '' })),
		options({ matchFields: 'title, sku' }),
		{ sku: 'A1' },
	],
	[
		'a time that no post shows is compared without a question, where the user names its field',
		[[christmas({}), CHRISTMAS]],
		options({ publishTimeField: 'publish_at' }),
		{ publish_at: undefined },
	],
	['and so is the location', asks(['location_id'], christmas({ location_id: 'loc_1' }))],
	[
		'what Additional Fields read or replace goes without a word',
		[
			[
				christmas({ Notes: 'ask Ann', When: '2027-12-25' }),
				{ publish_at: '2027-12-25T00:00:00+01:00', notes: 'ask Ann' },
			],
		],
		additional(AS_TIME, { name: 'notes', type: 'string', value: '={{ $json.Notes }}' }),
	],
	[
		'a heading with a comma, and a column without one of Google Sheets',
		asks(
			/content post: Notes, internal \|.*turn on the option 'Ignore Extra Columns'/,
			christmas({ 'Notes, internal': 'x', col_5: 'y' }),
		),
	],
	[
		'marks of direction in a heading make no difference',
		[[christmas({ '\u202aNotes\u202c': 'x' }), CHRISTMAS]],
		options({ excludeColumns: 'Notes' }),
	],
	[
		'two columns for one field are refused, both named',
		asks(
			['Two columns are meant for publish_at: publish_at, Publish At |'],
			christmas({ 'Publish At': '2027-12-25' }),
		),
	],
	[
		'the columns that the expression in Location reads go without a word',
		[[christmas({ shop: '' }), ['The location ID is empty: the row has nothing in "shop" |']]],
		{ locationId: byId('={{ $json.shop }}') },
	],
])('columns: %s', check(backend));

test('columns: one that is called as an additional field is never sent, not where that is blank either', async () => {
	const rows = rowsOf({ Publish_At: '2027-12-24', When: '' }, { When: '2027-12-25' });
	const { sent, words } = await post(showing(backend()), rows, additional(AS_TIME));
	expect(sent.map(({ publish_at }) => String(publish_at).slice(0, 10))).toEqual(['2027-12-25']);
	expect(words[0]).toContain('publish_at is empty');
});

test.each<Case>([
	[
		'a match field whose expression is empty in each of several rows reads nothing',
		asks(['title: the expression is empty in each of the 2 rows |'], christmas({}), christmas({})),
		{
			fields: columns({ title: '={{ $json.Titel }}', content: 'x', publish_at: '2027-12-24' }),
			...options({ matchFields: 'Title, Content' }),
		},
	],
	[
		'a blank time never means now, whatever the expression says',
		[
			[
				{ When: '24.12.2027' },
				['publish_at is empty, and a post without a time would go live at once'],
			],
		],
		byHand("={{ $json.When ? $json.when : '' }}"),
	],
	[
		'an additional field in the words of the panel is the field, also where a column is like it',
		[[{ 'Publish at': '2027-12-25' }, CHRISTMAS]],
		{ ...additional({ name: 'Publish At', type: 'any', value: '2027-12-24' }) },
	],
	...['={{ $json.name }}', '{{ $json.name }}'].map(
		(name): Case => [
			`an additional field has one name for all rows, and not ${name}`,
			asks(['An additional field has no name of its own'], christmas({})),
			additional({ name, type: 'any', value: 'x' }),
		],
	),
])('mapped: %s', check(backend));

test('mapped: in one row alone, an expression that is empty is no question', async () => {
	const fields = columns({ title: '={{ $json.Titel }}', content: 'x', publish_at: '2027-12-24' });
	const { sent } = await post(showing(backend()), [{}], { fields });
	expect(sent).toHaveLength(1);
});

const refused = (cell: Fields, ...words: string[]): Line[] => [[christmas(cell), words]];

test.each<Case>([
	[
		'an object for a text is refused, also on a new account',
		refused({ title: { rendered: 'Open' } }, 'is an object', 'with the type JSON'),
		{},
		'no posts',
	],
	[
		'a number becomes a text where texts are kept, and a plain decimal a number where there are numbers',
		[
			[
				christmas({ title: 2027, zip: '01067', count: '12', cid: '12345678901234567891' }),
				{ title: '2027', zip: '01067', count: 12, cid: '12345678901234567891', ...CHRISTMAS },
			],
		],
		{},
		{ zip: 1067, count: 1, cid: 1 },
	],
])('cells: %s', check(backend));

test('a row is called by its number in the sheet, and its title', async () => {
	const [row] = rowsOf(christmas({ publish_at: 'soon', row_number: 9 }));
	const { error } = await post(showing(backend()), [row], {}, { settings: {} });
	expect(error?.message).toBe(
		'Row 9 ("Open on Sunday"): publish_at: "soon" can\'t be read as a time',
	);
});
