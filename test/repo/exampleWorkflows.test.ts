import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DateTime } from 'luxon';
import type { INodeTypeDescription, IWorkflowBase } from 'n8n-workflow';
import { readSheet } from 'read-excel-file/node';

import { exampleFiles } from '../../dev/n8n/example';
import { EXAMPLES, ROOT } from '../../dev/n8n/home';
import { COLUMNS, posts } from '../../examples/posts';
import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { LocalSeoTrigger } from '../../nodes/LocalSeo/LocalSeoTrigger.node';

const LOCAL_SEO = 'n8n-nodes-local-seo.localSeo';
/** The same node as n8n offers it to an agent. */
const LOCAL_SEO_TOOL = `${LOCAL_SEO}Tool`;
const TRIGGER = `${LOCAL_SEO}Trigger`;
const NOTE = 'n8n-nodes-base.stickyNote';

type Workflow = Pick<IWorkflowBase, 'nodes' | 'connections'>;

const files = exampleFiles();
const read = (file: string) => readFileSync(join(EXAMPLES, file), 'utf8');
const workflowIn = (file: string) => JSON.parse(read(file)) as Workflow;
const ofType = ({ nodes }: Workflow, ...types: string[]) =>
	nodes.filter((node) => types.includes(node.type));

const { description: node } = new LocalSeo();
const { description: trigger } = new LocalSeoTrigger();
const namesIn = ({ properties }: INodeTypeDescription) => properties.map(({ name }) => name);
const valuesOf = ({ properties }: INodeTypeDescription, wanted: string) =>
	properties
		.filter(({ name }) => name === wanted)
		.flatMap(({ options = [] }) => options as Array<{ value?: unknown }>)
		.map(({ value }) => value);

describe.each(files)('%s', (file) => {
	const workflow = workflowIn(file);
	const text = read(file);
	const names = workflow.nodes.map(({ name }) => name);
	const notes = ofType(workflow, NOTE).map(({ parameters }) => String(parameters.content));
	const namedBy = (pattern: RegExp, within = text) =>
		[...within.matchAll(pattern)].map(([, name]) => name);

	it('connects every node; connections, expressions and notes name only nodes that it has', () => {
		const kinds = Object.values(workflow.connections).flatMap((one) => Object.values(one));
		const targets = kinds.flat(2).map((to) => to!.node);
		const connected = new Set([...Object.keys(workflow.connections), ...targets]);
		const steps = workflow.nodes.filter(({ type }) => type !== NOTE);
		expect([...connected].sort()).toEqual(steps.map(({ name }) => name).sort());
		expect(names).toEqual(expect.arrayContaining(namedBy(/\$\('([^']+)'\)/g)));
		const inItalics = /(?<!\*)\*([A-Z][^*\n]+)\*(?!\*)/g;
		expect(names).toEqual(expect.arrayContaining(namedBy(inItalics, notes.join('\n'))));
	});

	it('uses operations, events and parameters that the node and the trigger have', () => {
		for (const { parameters, ...step } of ofType(workflow, LOCAL_SEO, LOCAL_SEO_TOOL)) {
			expect([node.version].flat()).toContain(step.typeVersion);
			expect(valuesOf(node, 'resource')).toContain(parameters.resource);
			expect(valuesOf(node, 'operation')).toContain(parameters.operation);
			expect(namesIn(node)).toEqual(expect.arrayContaining(Object.keys(parameters)));
			// If one row can't be posted, the others are.
			const isOfRows = step.type === LOCAL_SEO && parameters.operation === 'create';
			if (isOfRows) expect(step.onError).toMatch(/^continue/);
		}
		for (const { parameters } of ofType(workflow, TRIGGER)) {
			// n8n adds the times of polling to every trigger that polls.
			const known = ['pollTimes', ...namesIn(trigger)];
			expect(known).toEqual(expect.arrayContaining(Object.keys(parameters)));
			const events = expect.arrayContaining(parameters.events as string[]);
			expect(valuesOf(trigger, 'events')).toEqual(events);
		}
	});
});

const stepIn = (file: string, wanted: string) =>
	workflowIn(file).nodes.find(({ name }) => name === wanted)!;

it('the nightly dry run looks at what the recipe of a Google sheet would post', () => {
	const look = stepIn('recipes/nightly-dry-run.json', 'Look at the post');
	const create = stepIn('recipes/posts-from-google-sheet.json', 'Create the post');
	expect(look.parameters).toEqual(create.parameters);
	// A workflow just imported changes nothing.
	expect(look.parameters).toMatchObject({ dryRun: true });
});

describe('the form reads a file', () => {
	const run = (name: string, ...known: unknown[]) => {
		const { jsCode } = stepIn('posts-from-form.json', name).parameters;
		// The source is our own.
		return new Function('$json', '$', '$now', String(jsCode))(...known) as Array<{ json: Read }>;
	};
	interface Read {
		headings: string[];
		rows: Array<{ row: number; cells: object; isHidden: boolean; wasPosted: boolean }>;
		separator: string;
		top: number;
		fields: string;
		message: string;
	}
	interface File {
		/** As n8n's reader gives it. */
		lines?: unknown[][];
		/** Of a CSV file. */
		text?: string;
		other?: string;
		name?: string;
		error?: string;
		chosen?: Record<string, string>;
	}
	const now = { zoneName: 'Europe/Berlin', toFormat: () => '10:00' };
	const steps = ({ lines = [], text, other, name = '<a>.csv', error, chosen }: File) => {
		const [csv, columns] = [{ utf8: text, other }, chosen ?? {}];
		const one = (json: object) => ({ json, pairedItem: { item: 0 } });
		const known: Record<string, object> = {
			'Upload a spreadsheet': { first: () => ({ binary: { Spreadsheet: { fileName: name } } }) },
			Columns: { isExecuted: chosen !== undefined, first: () => one(columns) },
			'Text as UTF-8': { isExecuted: text !== undefined },
			'Text in another encoding': { first: () => one(csv) },
			'Rows of the file': {
				all: () => (error ? [one({ error })] : lines.map((row) => one({ row }))),
			},
			'Its sheets': { all: () => [one({ sheet: 'A', hidden: [4] })] },
		};
		return (step: string) => known[step];
	};
	const read = (file: File) => run('Read the rows', {}, steps(file))[0].json;
	const readLines = (...lines: unknown[][]) => read({ lines });
	const brief = ({ headings, rows }: Read) => [
		headings,
		...rows.map(({ row, cells }) => [row, ...Object.values(cells)]),
	];

	it('with its gaps, below a title, and whatever its headings are', () => {
		const heads = ['a', null, ' a ', 'x\n y', ''];
		const row = [1, 2, 3, true, null, null];
		expect(brief(readLines([], heads, [], row))).toEqual([
			['a', 'Column 2', 'a (2)', 'x y'],
			[4, ...row.slice(0, 4)],
		]);
		const lines = [['A plan'], ['a', 'b', 'c'], [1, 2, 3], [4, 5, 6]];
		expect(readLines(...lines)).toMatchObject({ top: 2, rows: [{}, { row: 4, isHidden: true }] });
		const other = read({ lines, chosen: { 'Headings are in row': '3', Sheet: 'A' } });
		expect(brief(other)).toEqual([
			['1', '2', '3'],
			[4, 4, 5, 6],
		]);
	});

	it.each([
		['a;b\n"1;,,,";2', ';'],
		['sep=|\na;b', '|'],
		['a\tb;c\td', '\t'],
		['a', ','],
	])('and finds its separator: %j', (text, separator) => {
		expect(
			read({
				text,
				lines: [
					['a', 'b'],
					[1, 2],
				],
			}).separator,
		).toBe(separator);
	});

	it('without the columns that it has added itself, where all of them are there', () => {
		const heads = ['a', 'status', 'post_id', 'message'];
		const back = readLines(heads, [1, 2, 3, 4]);
		expect([...brief(back), back.rows[0].wasPosted]).toEqual([['a'], [2, 1], true]);
		expect(readLines(heads.slice(0, 3), [1, 2, 3]).headings).toEqual(heads.slice(0, 3));
	});

	it.each<[File, string]>([
		[{ lines: [['', null]] }, 'The file is empty'],
		[{ lines: [['a', 'b'], [' ']] }, 'There are no rows below'],
		[{ lines: [['a'], ['1']], text: 'a\n"1" x' }, 'Row 2 has quotation marks'],
		[{ lines: [['a'], ['1']], text: 'a\n"1' }, 'Row 2 has quotation marks'],
		[{ lines: [['a'], ['\0']] }, 'It is not a spreadsheet'],
		[{ lines: [['%PDF-1.4']] }, 'It is not a spreadsheet'],
		[{ error: 'Unsupported' }, 'It is not a spreadsheet'],
		[{ lines: [['a'], ['1']], name: '<a>.ods' }, "It can't be read as an Excel file"],
		[{ error: 'Unsupported', name: '<a>.xlsx' }, "It can't be read as an Excel file"],
	])('and says why not: %j', (file, why) => {
		expect(read(file).message).toMatch(`: ${why}`);
		expect(read(file).message).toMatch(/^&#60;a&#62;/);
	});

	it('and asks for its columns, whatever they are called', () => {
		const odd = `Titel "1" <b>$&</b> {{ 1 }}`;
		const json = readLines(['Filiale', 'Publish_At', odd, 'Text', 'Text'], ['A', 46875.375, odd]);
		const [page] = run('Choose the columns', json, steps({}), now);
		expect(page.json.fields).not.toMatch(/\$|\{\{/);
		const fields = JSON.parse(page.json.fields) as Array<Record<string, string>>;
		const chosen = fields.map(({ fieldLabel, defaultValue }) => [fieldLabel, defaultValue]);
		expect(Object.fromEntries(chosen)).toMatchObject({
			...{ Location: 'Filiale', 'Time to publish': 'Publish_At', Title: '', Content: '' },
			'Image URL': '(none)',
		});
		expect(fields[0].html).toContain('<div>2028-05-02 09:00</div>');
		expect(fields[0].html).toContain('<div>Titel &#34;1&#34; &#60;b&#62;');
	});
});

it('rank-drop-alert.json tells a fall, also where 0 stands for not ranked', () => {
	const { conditions } = stepIn('rank-drop-alert.json', 'Is it a fall?').parameters;
	const [, expression] = /"=\{\{(.*?)\}\}"/.exec(JSON.stringify(conditions))!;
	const isFall = new Function('$json', `return ${JSON.parse(`"${expression}"`)}`);
	// The first scan of a keyword, which has nothing before it, is no fall.
	const told = [3, 9, 0, null, undefined].map((before) =>
		[3, 9, 0, null].filter((position) =>
			isFall({ before: before === undefined ? null : { position: before }, record: { position } }),
		),
	);
	expect(told).toEqual([[9, 0, null], [0, null], [], [], []]);
});

describe.each(['insights-export.json', 'recipes/weekly-insights.json'])('%s', (file) => {
	const { jsCode } = stepIn(file, 'One row for each key').parameters;
	const run = new Function('$input', String(jsCode)) as (input: object) => object[];
	const checked = (rows: object[]) => run({ all: () => rows.map((json) => ({ json })) });
	const day = { location_id: 'loc_1', date: '2026-03-01', views: 1 };

	it('takes rows of which each has a key of its own, and stops where two have the same', () => {
		const rows = [day, { ...day, date: '2026-03-02' }, { ...day, location_id: 'loc_2' }];
		expect(checked(rows)).toEqual(rows.map((json) => ({ json })));
		const devices = ['mobile', 'desktop'].map((device) => ({ ...day, device }));
		expect(() => checked([...rows.slice(1), ...devices])).toThrow(
			/^Two rows have the same location_id and date, .*: loc_1, 2026-03-01\. They differ in device\. Add/,
		);
	});

	it('adds up the fields that the sums show', () => {
		const { fieldsToSummarize } = stepIn(file, 'Sums by location and week').parameters;
		const summed = JSON.stringify(fieldsToSummarize).match(/(?<="sum","field":")\w+/g);
		const columns = JSON.stringify(stepIn(file, 'Columns of the sums').parameters);
		expect(columns.match(/(?<=\$json\.sum_)\w+/g)).toEqual(summed);
	});
});

it('insights-download.json says which of the chosen days are missing', () => {
	const { jsCode } = stepIn('insights-download.json', 'What is missing').parameters;
	const rows = ['2026-10-30a', '2026-10-31a', '2026-10-31b'];
	const all = () => rows.map((one) => ({ json: { location_id: one[10], date: one.slice(0, 10) } }));
	const of = { all, first: () => ({ json: { 'Which days': 'Last month' } }) };
	const input = { first: () => ({ binary: { data: { fileName: 'a.xlsx' } } }) };
	const now = { minus: () => ({ daysInMonth: 31 }) };
	const [{ json }] = new Function('$input', '$', '$now', String(jsCode))(input, () => of, now);
	expect(json.message).toMatch(/29 of 31 days are missing:.*For 1 of 2 locations, more days/);
});

// Those of the CSV file are posted by `npm start`.
it('the Excel file has the rows of posts.ts', async () => {
	const [headings, ...rows] = await readSheet(join(EXAMPLES, 'posts.xlsx'));
	expect(headings).toEqual([...COLUMNS]);
	const secondsOf = (at: Date) => Math.round(at.getTime() / 1_000);
	const read = rows.map(([...cells]) => {
		const at = cells.pop() as unknown as Date;
		return [...cells.map((cell) => cell ?? ''), secondsOf(at)];
	});
	const expected = posts.map(({ publish_at, ...post }) => {
		const at = DateTime.fromISO(publish_at.replace(' ', 'T'), { zone: 'utc' });
		return [
			...COLUMNS.slice(0, -1).map((name) => post[name as keyof typeof post]),
			secondsOf(at.toJSDate()),
		];
	});
	expect(read).toEqual(expected);
});

describe('posts-from-form.json', () => {
	const codeOf = (name: string) => String(stepIn('posts-from-form.json', name).parameters.jsCode);
	const one = (json: object) => ({ first: () => ({ json }), isExecuted: true });
	const columns = { Title: 'Title', 'Time to publish': 'Date', 'Time of day': 'Hour' };
	/** What is sent of an Excel file with a column of days and one of hours. */
	const sentOf = (cells: unknown[]) => {
		const lines = [
			['Title', 'Date', 'Hour'],
			['Open', ...cells],
		];
		const steps: Record<string, object> = {
			'Upload a spreadsheet': {
				first: () => ({ binary: { Spreadsheet: { fileName: 'a.xlsx' } } }),
			},
			'Rows of the file': {
				all: () => lines.map((row) => ({ json: { row }, pairedItem: { item: 0 } })),
			},
			'Its sheets': { all: () => [{ json: { sheet: 'A', hidden: [] } }] },
			...{
				'Text as UTF-8': { isExecuted: false },
				Check: { isExecuted: false },
				Columns: one(columns),
			},
		};
		const run = (name: string) =>
			new Function('$', '$json', codeOf(name))((step: string) => steps[step], {}) as Array<{
				json: object;
			}>;
		steps['Read the rows'] = one(run('Read the rows')[0].json);
		return run('Rows to send').map(({ json }) => (json as { publish_at: unknown }).publish_at);
	};

	it('does not post what was due while the page "Check" was open', () => {
		const at = (publish_at: string, goes_live: string) => ({
			action: 'create',
			publish_at,
			goes_live,
		});
		const [past, ahead] = ['2020-12-24T09:00:00Z', '2099-12-24T09:00:00Z'];
		const checked = [
			at(past, 'Thu, Dec 24, 2020, 10:00 (Europe/Berlin)'),
			at(past, 'at once, since its time is over'),
			at(ahead, 'Thu, Dec 24, 2099, 10:00 (Europe/Berlin)'),
			{ action: 'skip', publish_at: '', goes_live: '' },
		].map((json) => ({ json }));
		const rows = checked.map((_, row) => ({ row, cells: {} }));
		const steps: Record<string, object> = {
			...{ 'Read the rows': one({ rows }), Columns: one({}), Check: one({}) },
			'Create the posts': { all: () => checked },
		};
		const sent = new Function('$', codeOf('Rows to send'))((step: string) => steps[step]);
		expect(sent.map(({ json }: { json: { row_number: number } }) => json.row_number)).toEqual([
			1, 2,
		]);
	});

	it('takes a number for an hour only where Excel keeps one so, and leaves the hour of a day there', () => {
		const ofDays = [0.41667, 9, 10.3, '10:00'].flatMap((hour) => sentOf([46745, hour]));
		expect(ofDays).toEqual([
			'2027-12-24 10:00',
			'2027-12-24 9',
			'2027-12-24 10.3',
			'2027-12-24 10:00',
		]);
		expect(sentOf([46745.41667, 0.75])).toEqual(['2027-12-24 10:00 18:00']);
		// Some keep day and hour in both columns, and show a part of it in each.
		const whole = [
			[46745.375, 46745.375],
			[46745, 46745.375],
			[46745.375, 0.375],
		].flatMap(sentOf);
		expect(whole).toEqual(Array(3).fill('2027-12-24 09:00'));
	});
});

it('docs/recipes.md links every recipe', () => {
	const docs = readFileSync(join(ROOT, 'docs', 'recipes.md'), 'utf8');
	const recipes = files.filter((file) => file.startsWith('recipes/'));
	for (const file of recipes) expect(docs).toContain(`](../examples/${file})`);
});
