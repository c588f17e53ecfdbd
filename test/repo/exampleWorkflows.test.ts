import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';

import { exampleFiles } from '../../dev/n8n/example';
import { EXAMPLES, ROOT } from '../../dev/n8n/home';
import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { LocalSeoTrigger } from '../../nodes/LocalSeo/LocalSeoTrigger.node';

const LOCAL_SEO = 'n8n-nodes-local-seo.localSeo';
/** The same node as n8n offers it to an agent. */
const LOCAL_SEO_TOOL = `${LOCAL_SEO}Tool`;
const TRIGGER = `${LOCAL_SEO}Trigger`;
const NOTE = 'n8n-nodes-base.stickyNote';

interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	credentials?: unknown;
	onError?: string;
	parameters: Record<string, unknown>;
}

interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	/** By the kind of connection, `main` for items. */
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
}

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

	it('carries nothing of the machine it was made on', () => {
		for (const own of ['pinData', 'id']) expect(workflow).not.toHaveProperty(own);
		for (const node of workflow.nodes) expect(node.credentials).toBeUndefined();
		expect(text).not.toMatch(/"(fileName|fileSelector)": "(\/|[A-Z]:)/);
	});

	it('forgets no rows: with previous executions, Remove Duplicates stops once its history is full', () => {
		for (const { parameters } of ofType(workflow, 'n8n-nodes-base.removeDuplicates')) {
			expect([undefined, 'removeDuplicateInputItems']).toContain(parameters.operation);
		}
	});

	it('connects every node; connections, expressions and notes name only nodes that it has', () => {
		const kinds = Object.values(workflow.connections).flatMap((one) => Object.values(one));
		const targets = kinds.flat(2).map(({ node }) => node);
		const connected = new Set([...Object.keys(workflow.connections), ...targets]);
		const steps = workflow.nodes.filter(({ type }) => type !== NOTE);
		expect([...connected].sort()).toEqual(steps.map(({ name }) => name).sort());
		expect(names).toEqual(expect.arrayContaining(namedBy(/\$\('([^']+)'\)/g)));
		const inItalics = /(?<!\*)\*([A-Z][^*\n]+)\*(?!\*)/g;
		expect(names).toEqual(expect.arrayContaining(namedBy(inItalics, notes.join('\n'))));
	});

	it('leads to pages that can be opened from n8n, and to headings that are there', () => {
		expect(notes.join()).not.toMatch(/`docs\//);
		for (const [, page, anchor] of text.matchAll(/\/blob\/main\/([^)#]+)#([^)]+)\)/g)) {
			const headings = namedBy(/^#+ (.+)$/gm, readFileSync(join(ROOT, page), 'utf8'));
			const anchors = headings.map((heading) => heading.toLowerCase().replace(/ /g, '-'));
			expect(anchors).toContain(anchor);
		}
	});

	it('uses operations, events and parameters that the node and the trigger have', () => {
		for (const { parameters, typeVersion } of ofType(workflow, LOCAL_SEO, LOCAL_SEO_TOOL)) {
			expect([node.version].flat()).toContain(typeVersion);
			expect(valuesOf(node, 'resource')).toContain(parameters.resource);
			expect(valuesOf(node, 'operation')).toContain(parameters.operation);
			expect(namesIn(node)).toEqual(expect.arrayContaining(Object.keys(parameters)));
		}
		for (const { parameters } of ofType(workflow, TRIGGER)) {
			// n8n adds the times of polling to every trigger that polls.
			const known = ['pollTimes', ...namesIn(trigger)];
			expect(known).toEqual(expect.arrayContaining(Object.keys(parameters)));
			const events = expect.arrayContaining(parameters.events as string[]);
			expect(valuesOf(trigger, 'events')).toEqual(events);
		}
	});

	it('continues with the other rows if one cannot be posted', () => {
		for (const { parameters, onError } of ofType(workflow, LOCAL_SEO)) {
			if (parameters.operation === 'create') expect(onError).toMatch(/^continue/);
		}
	});
});

/** A step of an example. */
const stepIn = (file: string, wanted: string) =>
	workflowIn(file).nodes.find(({ name }) => name === wanted)!;

it.each([
	['posts-from-spreadsheet.json', 'Look first', 'posts-from-spreadsheet.json'],
	['recipes/nightly-dry-run.json', 'Look at the post', 'recipes/posts-from-google-sheet.json'],
])('%s: "%s" looks at what %s would post', (file, look, other) => {
	const { parameters } = stepIn(other, 'Create the post');
	expect(stepIn(file, look).parameters).toEqual({ ...parameters, dryRun: true });
	// In the same workflow, it would post as well.
	if (file === other) expect(stepIn(file, look)).toMatchObject({ disabled: true });
});

describe('the form gives the columns of a sheet the names of the fields', () => {
	const { jsCode } = stepIn('posts-from-form.json', 'Headings').parameters;
	// The source is our own.
	const run = new Function('$input', String(jsCode)) as (input: {
		all(): Array<{ json: object }>;
	}) => Array<{ json: object; pairedItem: object }>;
	const renamed = (...rows: object[]) => run({ all: () => rows.map((json) => ({ json })) });

	it.each([
		['Shop; Headline; Text; Date', 'location_id; title; content; publish_at'],
		['Shop; title; Text; Price', 'location_id; title; content; Price'],
		// The node asks about both.
		['location_id; Shop; title', 'location_id; Shop; title'],
		['title; constructor', 'title; constructor'],
	])('%s: %s', (given, expected) => {
		const row = Object.fromEntries(given.split('; ').map((heading) => [heading, `of ${heading}`]));
		const [{ json, pairedItem }] = renamed(row);
		expect(Object.keys(json)).toEqual(expected.split('; '));
		expect(Object.values(json)).toEqual(Object.values(row));
		expect(pairedItem).toEqual({ item: 0 });
	});

	it('results that are uploaded again lose the columns that say what happened, and no others', () => {
		const row = { title: 'A', content: 'B' };
		const results = { status: 'not posted', post_id: '', message: 'Why', ...row };
		expect(renamed(results).map(({ json }) => json)).toEqual([row]);
		const twice = { input_status: 'not posted', input_post_id: '', input_message: 'Why' };
		expect(renamed({ ...results, ...twice }).map(({ json }) => json)).toEqual([row]);
		for (const own of [{ status: 'posted' }, { status: 'draft', message: 'x' }]) {
			expect(renamed({ ...row, ...own })[0].json).toEqual({ ...row, ...own });
		}
	});

	it('a line of separators alone is no row', () => {
		const rows = renamed({ Headline: 'A' }, {}, { Headline: 'B' }, {});
		expect(rows).toEqual([
			{ json: { title: 'A' }, pairedItem: { item: 0 } },
			{ json: { title: 'B' }, pairedItem: { item: 2 } },
		]);
	});

	it('all rows decide together, since files are read without their empty cells', () => {
		const rows = [
			{ Headline: 'A', Date: '1.3.2027' },
			{ title: 'B' },
			{ publish_at: '2027-03-01' },
		];
		expect(renamed(...rows).map(({ json }) => json)).toEqual(rows);
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

it('docs/recipes.md links every recipe', () => {
	const docs = readFileSync(join(ROOT, 'docs', 'recipes.md'), 'utf8');
	const recipes = files.filter((file) => file.startsWith('recipes/'));
	for (const file of recipes) expect(docs).toContain(`](../examples/${file})`);
});
