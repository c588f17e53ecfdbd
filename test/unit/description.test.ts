import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { LocalSeoTrigger } from '../../nodes/LocalSeo/LocalSeoTrigger.node';
import { EVENTS } from '../support/trigger';

const node = new LocalSeo();
const { properties } = node.description;
const operations = properties.filter(({ name }) => name === 'operation');
const combinations = operations.flatMap(({ displayOptions, options }) =>
	(options ?? []).map((option) => ({
		resource: displayOptions!.show!.resource![0] as string,
		operation: (option as { value: string }).value,
	})),
);

const version = { typeVersion: 1 } as INode;

/** The parameters as n8n fills them in for a node that was just set to an operation. */
function filled(parameters: INodeParameters): INodeParameters {
	const { description } = node;
	return NodeHelpers.getNodeParameters(properties, parameters, true, false, version, description)!;
}

const isShown = (values: INodeParameters, property: INodeProperties, { description } = node) =>
	NodeHelpers.displayParameter(values, property, version, description);

function shown(parameters: INodeParameters): string[] {
	return properties
		.filter((property) => property.type !== 'hidden' && isShown(filled(parameters), property))
		.map(({ name }) => name);
}

const everywhere = ['resource', 'operation'];
const paging = ['returnAll', 'limit'];
const creating = ['fields', 'ifExists'];

test.each([
	['location', 'getAll', paging],
	['location', 'get', ['locationId']],
	['location', 'create', ['dryRun', ...creating]],
	['location', 'upsert', ['dryRun', 'fields']],
	['location', 'update', ['dryRun', 'locationId', 'fields']],
	['keyword', 'getAll', ['allLocations', 'locationId', ...paging]],
	['keyword', 'create', ['dryRun', 'locationId', ...creating]],
	['keyword', 'delete', ['dryRun', 'locationId', 'keywordId']],
	['rankScan', 'getAll', ['locationId', 'keywordId', ...paging]],
	['post', 'getAll', ['allLocations', 'locationId', ...paging]],
	['post', 'create', ['dryRun', 'locationId', 'whenToPublish', ...creating]],
	['insight', 'get', ['allLocations', 'locationId', 'output']],
])('%s %s shows its parameters alone', (resource, operation, parameters) => {
	expect(shown({ resource, operation })).toEqual([...everywhere, ...parameters, 'options']);
});

test('of a parameter with several definitions, an operation shows one', () => {
	for (const combination of combinations) {
		const names = shown(combination);
		expect(names).toEqual([...new Set(names)]);
	}
});

test('with All Locations there is none to choose; other operations keep theirs', () => {
	const all = { allLocations: true };
	expect(shown({ resource: 'insight', operation: 'get', ...all })).not.toContain('locationId');
	// While a node is open, the editor keeps what is no longer shown.
	for (const { resource, operation } of combinations) {
		const values = { ...filled({ resource, operation }), ...all };
		const names = properties.filter((one) => isShown(values, one)).map(({ name }) => name);
		const isOfAll = names.includes('allLocations');
		const isOfOne = shown({ resource, operation }).includes('locationId');
		expect(names.includes('locationId')).toBe(isOfOne && !isOfAll);
	}
});

test('the declared requests contain no expressions', () => {
	const { requestDefaults, requestOperations } = node.description;
	const declared = JSON.stringify([properties, requestDefaults, requestOperations]);
	expect(declared).not.toMatch(/"=|\{\{/);
});

test('resource, operation and other parameters that choose the request accept no expressions', () => {
	const chooses = ['resource', 'operation', 'whenToPublish', 'fields', 'ifExists'];
	const open = properties.filter(
		({ name, noDataExpression }) => chooses.includes(name) && !noDataExpression,
	);
	expect(open).toEqual([]);
});

/** The definitions of the options that a node offers. */
function offered(values: INodeParameters, description = node.description): INodeProperties[] {
	const { options = [] } = properties.find(({ name }) => name === 'options')!;
	return (options as INodeProperties[]).filter((option) =>
		NodeHelpers.displayParameterPath(values, option, 'options', version, description),
	);
}

test.each(['location', 'keyword', 'post'])(
	'of a new %s that is there the row is skipped; other fields to tell are chosen in one option, which is empty',
	(resource) => {
		const matchFields = (ifExists: string) => {
			const values = { ...filled({ resource, operation: 'create', ifExists }), options: {} };
			return offered(values).filter(({ name }) => name === 'matchFields');
		};
		expect(filled({ resource, operation: 'create' }).ifExists).toBe('skip');
		expect(matchFields('skip').map((option) => option.default)).toEqual(['']);
		expect(matchFields('create')).toEqual([]);
	},
);

test('posts go live at the time in each row, unless someone chooses otherwise', () => {
	const values = filled({ resource: 'post', operation: 'create' });
	expect(values).toMatchObject({ whenToPublish: 'scheduled', dryRun: false });
});

test('an option that is added and left as it is changes nothing: every switch is off', () => {
	const { options = [] } = properties.find(({ name }) => name === 'options')!;
	const switches = (options as INodeProperties[]).filter(({ type }) => type === 'boolean');
	expect(switches.map(({ name }) => name)).toEqual([
		'acceptIncomplete',
		'ignoreExtraColumns',
		'includeInputFields',
	]);
	expect(switches.map((option) => option.default)).toEqual([false, false, false]);
	const texts = (options as INodeProperties[]).filter(({ type }) => type === 'string');
	expect(texts.map((option) => option.default)).toEqual(texts.map(() => ''));
});

test('the fields to map depend on resource and operation alone: n8n empties them when these change', () => {
	const depending = properties.filter(({ typeOptions }) => typeOptions?.loadOptionsDependsOn);
	expect(depending.map(({ name }) => name)).toEqual(['fields']);
	expect(depending[0].typeOptions!.loadOptionsDependsOn).toEqual(['resource', 'operation']);
});

describe('as a tool', () => {
	// n8n makes a description of its own for the tool, with this name.
	const tool = { ...node.description, name: 'localSeoTool' };

	test('Dry Run is not there: a model could turn it off', () => {
		const dryRun = properties.find(({ name }) => name === 'dryRun')!;
		const writes = combinations.filter(({ operation }) => !['get', 'getAll'].includes(operation));
		expect(writes).toHaveLength(6);
		for (const combination of writes) {
			const values = filled(combination);
			expect(NodeHelpers.displayParameter(values, dryRun, version, tool)).toBe(false);
			expect(isShown(values, dryRun)).toBe(true);
		}
	});

	test('it waits 30 s in place of 300, since MCP clients give up after 60', () => {
		for (const combination of combinations) {
			const values = { ...filled(combination), options: {} };
			const waits = (description: INodeTypeDescription) =>
				offered(values, description)
					.filter(({ name }) => name === 'maxWait')
					.map((option) => option.default);
			expect(waits(node.description)).toEqual([300]);
			expect(waits(tool)).toEqual([30]);
		}
	});
});

test('options are sorted by name', () => {
	const names = (list: INodeProperties['options']) =>
		(list ?? []).map(
			(option) =>
				(option as { displayName?: string; name: string }).displayName ??
				(option as { name: string }).name,
		);
	for (const { options } of properties) {
		expect(names(options)).toEqual([...names(options)].sort((a, b) => a.localeCompare(b)));
	}
});

describe('the trigger keeps the names that saved workflows contain', () => {
	const trigger = new LocalSeoTrigger();
	const { description } = trigger;
	const parameter = (name: string) => description.properties.find((one) => one.name === name)!;

	test('its parameters and their kinds', () => {
		expect(description).toMatchObject({ name: 'localSeoTrigger', polling: true, inputs: [] });
		expect(parameter('events').type).toBe('multiOptions');
		expect(parameter('locationIds').type).toBe('multiOptions');
		expect(parameter('options').type).toBe('collection');
		const options = parameter('options').options as INodeProperties[];
		expect(options.map(({ name }) => name)).toEqual(
			expect.arrayContaining([
				'compareScansBy',
				'fieldsToWatch',
				'minimumChange',
				'publishedStatus',
				'scanTimeField',
			]),
		);
	});

	test('its events', () => {
		const events = parameter('events').options as INodePropertyOptions[];
		expect(events.map(({ value }) => value).sort()).toEqual(EVENTS);
	});

	test('a rank score event says what has to be known of it', () => {
		const shown = (events: string[]) =>
			description.properties
				.filter((one) => one.type === 'notice' && isShown({ events }, one, trigger as never))
				.map(({ name }) => name);
		expect(shown(['rankScoreDropped'])).toEqual(['pollNotice', 'rankScoreNotice']);
		expect(shown(['locationAdded', 'locationChanged'])).toEqual(['pollNotice']);
	});
});
