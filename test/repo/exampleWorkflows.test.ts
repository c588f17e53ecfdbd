import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

const { description } = new LocalSeo();

function valuesOf(name: string): unknown[] {
	return description.properties
		.filter((property) => property.name === name)
		.flatMap(({ options = [] }) => options as Array<{ value?: unknown }>)
		.map(({ value }) => value);
}

/** What the editor would not show: a name that was mistyped, or is no longer there. */
const isKnown = (name: string) => description.properties.some((property) => property.name === name);

describe.each(files)('%s', (file) => {
	const workflow = workflowIn(file);
	const names = workflow.nodes.map(({ name }) => name);

	const notes = ofType(workflow, NOTE)
		.map(({ parameters }) => String(parameters.content))
		.join('\n');

	it('carries nothing of the machine it was made on', () => {
		for (const own of ['pinData', 'id']) expect(workflow).not.toHaveProperty(own);
		for (const node of workflow.nodes) expect(node.credentials).toBeUndefined();
		expect(read(file)).not.toMatch(/"(fileName|fileSelector)": "(\/|[A-Z]:)/);
	});

	it('forgets no rows: with previous executions, Remove Duplicates stops once its history is full', () => {
		for (const { parameters } of ofType(workflow, 'n8n-nodes-base.removeDuplicates')) {
			expect([undefined, 'removeDuplicateInputItems']).toContain(parameters.operation);
		}
	});

	it('connects every node, and only nodes it has', () => {
		const targets = Object.values(workflow.connections)
			.flatMap((kinds) => Object.values(kinds).flat(2))
			.map(({ node }) => node);
		const connected = new Set([...Object.keys(workflow.connections), ...targets]);
		const steps = workflow.nodes.filter(({ type }) => type !== NOTE);
		expect([...connected].sort()).toEqual(steps.map(({ name }) => name).sort());
	});

	it('refers in expressions only to nodes it has', () => {
		for (const [, name] of read(file).matchAll(/\$\('([^']+)'\)/g)) expect(names).toContain(name);
	});

	it('names in bold and italics only what can be found', () => {
		for (const [, name] of notes.matchAll(/(?<!\*)\*([A-Z][^*\n]+)\*(?!\*)/g)) {
			expect(names).toContain(name);
		}
	});

	it('leads to pages that can be opened from n8n, and to headings that are there', () => {
		expect(notes).not.toMatch(/`docs\//);
		for (const [, page, anchor] of notes.matchAll(/\/blob\/main\/([^)#]+)#([^)]+)\)/g)) {
			const text = readFileSync(join(ROOT, page), 'utf8');
			const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
				heading.toLowerCase().replace(/ /g, '-'),
			);
			expect(headings).toContain(anchor);
		}
	});

	it('uses operations and parameters that the node has', () => {
		for (const { parameters, typeVersion } of ofType(workflow, LOCAL_SEO, LOCAL_SEO_TOOL)) {
			expect([description.version].flat()).toContain(typeVersion);
			expect(valuesOf('resource')).toContain(parameters.resource);
			expect(valuesOf('operation')).toContain(parameters.operation);
			for (const name of Object.keys(parameters)) expect(isKnown(name)).toBe(true);
		}
	});

	it('uses events and parameters that the trigger has', () => {
		const { properties } = new LocalSeoTrigger().description;
		// n8n adds the times of polling to every trigger that polls.
		const names = ['pollTimes', ...properties.map(({ name }) => name)];
		const events = properties.find(({ name }) => name === 'events')!.options as never as Array<{
			value: string;
		}>;
		for (const { parameters } of ofType(workflow, TRIGGER)) {
			for (const name of Object.keys(parameters)) expect(names).toContain(name);
			for (const event of parameters.events as string[]) {
				expect(events.map(({ value }) => value)).toContain(event);
			}
		}
	});

	it('continues with the other rows if one cannot be posted', () => {
		for (const { parameters, onError } of ofType(workflow, LOCAL_SEO)) {
			if (parameters.operation === 'create') expect(onError).toMatch(/^continue/);
		}
	});
});

it.each([
	['posts-from-spreadsheet.json', 'Look first', 'posts-from-spreadsheet.json'],
	['recipes/nightly-dry-run.json', 'Look at the post', 'recipes/posts-from-google-sheet.json'],
])('%s: "%s" looks at what %s would post', (file, look, other) => {
	const named = (one: string, wanted: string) =>
		workflowIn(one).nodes.find(({ name }) => name === wanted)!;
	const { parameters } = named(other, 'Create the post');
	expect(named(file, look).parameters).toEqual({ ...parameters, dryRun: true });
	// In the same workflow, it would post as well.
	if (file === other) expect(named(file, look)).toMatchObject({ disabled: true });
});

describe('the form gives the columns of a sheet the names of the fields', () => {
	const { nodes } = workflowIn('posts-from-form.json');
	const { jsCode } = nodes.find(({ name }) => name === 'Headings')!.parameters;
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
		const [status, post_id, message] = ['not posted', '', 'Why'];
		const twice = { ...results, input_status: status, input_post_id: post_id };
		expect(renamed({ ...twice, input_message: message }).map(({ json }) => json)).toEqual([row]);
		for (const own of [
			{ ...row, status: 'posted' },
			{ ...row, status: 'draft', message: 'x' },
		]) {
			expect(renamed(own).map(({ json }) => json)).toEqual([own]);
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

it('docs/recipes.md links every recipe', () => {
	const docs = readFileSync(join(ROOT, 'docs', 'recipes.md'), 'utf8');
	const recipes = files.filter((file) => file.startsWith('recipes/'));
	for (const file of recipes) expect(docs).toContain(`](../examples/${file})`);
});
