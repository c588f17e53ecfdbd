import type { INode, INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
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
const writing = ['fields', 'dataToSend'];
const creating = ['fields', 'ifExists', 'dataToSend'];

test.each([
	['location', 'getAll', paging],
	['location', 'get', ['locationId']],
	['location', 'create', creating],
	['location', 'upsert', writing],
	['location', 'update', ['locationId', ...writing]],
	['keyword', 'getAll', ['allLocations', 'locationId', ...paging]],
	['keyword', 'create', ['locationId', ...creating]],
	['keyword', 'delete', ['locationId', 'keywordId']],
	['rankScan', 'getAll', ['locationId', 'keywordId', ...paging]],
	['post', 'getAll', ['allLocations', 'locationId', ...paging]],
	['post', 'create', ['locationId', ...creating, 'postCreateWarning']],
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
	const chooses = ['resource', 'operation', 'dataToSend', 'fields', 'ifExists'];
	const open = properties.filter(
		({ name, noDataExpression }) => chooses.includes(name) && !noDataExpression,
	);
	expect(open).toEqual([]);
});

test.each([
	['location', 'name, address'],
	['keyword', 'keyword'],
	['post', 'title, content'],
])('a new %s is recognized by %p', (resource, usual) => {
	const { options = [] } = properties.find(({ name }) => name === 'options')!;
	const offered = (ifExists: string) => {
		const values = { ...filled({ resource, operation: 'create', ifExists }), options: {} };
		const isOffered = (option: INodeProperties) =>
			NodeHelpers.displayParameterPath(values, option, 'options', version, node.description);
		return (options as INodeProperties[]).filter(
			(option) => option.name === 'matchFields' && isOffered(option),
		);
	};
	expect(filled({ resource, operation: 'create' }).ifExists).toBe('skip');
	expect(offered('skip').map((option) => option.default)).toEqual([usual]);
	expect(offered('create')).toEqual([]);
});

test('the warning before a post goes away with Dry Run', () => {
	const warns = (more: object) =>
		isShown(
			{ ...filled({ resource: 'post', operation: 'create' }), ...more },
			properties.find(({ name }) => name === 'postCreateWarning')!,
		);
	expect(warns({})).toBe(true);
	expect(warns({ options: { dryRun: false } })).toBe(true);
	expect(warns({ dryRun: true })).toBe(false);
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
				'direction',
				'fieldsToWatch',
				'minimumChange',
				'onlyPositionChanges',
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
