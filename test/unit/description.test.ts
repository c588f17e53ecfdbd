import type { INode, INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';

const { description } = new LocalSeo();
const { properties } = description;
/** n8n makes a description of its own for the tool, with this name. */
const tool = { ...description, name: 'localSeoTool' };
const node = { typeVersion: 1 } as INode;

/** The parameters as n8n fills them in for a node that was just set to an operation. */
const filled = (parameters: INodeParameters): INodeParameters =>
	NodeHelpers.getNodeParameters(properties, parameters, true, false, node, description)!;

/** The names of what the panel shows for these values; a name with several definitions may come twice. */
const shownWith = (values: INodeParameters, as = description) =>
	properties
		.filter((one) => one.type !== 'hidden')
		.filter((one) => NodeHelpers.displayParameter(values, one, node, as))
		.map(({ name }) => name);

/** The definitions of the options that a node offers for these values. */
const offered = (values: INodeParameters, as = description) =>
	(properties.find(({ name }) => name === 'options')!.options as INodeProperties[]).filter((one) =>
		NodeHelpers.displayParameterPath({ ...values, options: {} }, one, 'options', node, as),
	);

const PAGING = ['returnAll', 'limit'];
const CREATING = ['fields', 'ifExists'];
const OPERATIONS: Array<[resource: string, operation: string, parameters: string[]]> = [
	['location', 'getAll', PAGING],
	['location', 'get', ['locationId']],
	['location', 'create', ['dryRun', ...CREATING]],
	['location', 'upsert', ['dryRun', 'fields']],
	['location', 'update', ['dryRun', 'locationId', 'fields']],
	['keyword', 'getAll', ['allLocations', 'locationId', ...PAGING]],
	['keyword', 'create', ['dryRun', 'locationId', ...CREATING]],
	['keyword', 'delete', ['dryRun', 'locationId', 'keywordId']],
	['rankScan', 'getAll', ['locationId', 'keywordId', ...PAGING]],
	['post', 'getAll', ['allLocations', 'locationId', ...PAGING]],
	['post', 'create', ['dryRun', 'locationId', 'whenToPublish', ...CREATING]],
	['insight', 'get', ['allLocations', 'locationId', 'output']],
];

describe.each(OPERATIONS)('%s %s', (resource, operation, parameters) => {
	const values = filled({ resource, operation });
	const shown = shownWith(values);

	test('shows its parameters alone, each once', () => {
		expect(shown).toEqual(['resource', 'operation', ...parameters, 'options']);
	});

	test('asks for a location unless All Locations is on, here and not in what an operation before it left', () => {
		const ofAll = shownWith({ ...values, allLocations: true });
		const isOfOne = shown.includes('locationId') && !shown.includes('allLocations');
		expect(ofAll.includes('locationId')).toBe(isOfOne);
	});

	test('as a tool has no Dry Run, which a model could turn off, and waits 30 s: MCP clients give up after 60', () => {
		expect(shownWith(values, tool)).not.toContain('dryRun');
		const waits = [description, tool].map((as) =>
			offered(values, as).flatMap((one) => (one.name === 'maxWait' ? [one.default] : [])),
		);
		expect(waits).toEqual([[300], [30]]);
	});

	test('has defaults that change nothing and post nothing at once, and no switch that is on', () => {
		const safe = { dryRun: false, ifExists: 'skip', whenToPublish: '' };
		expect({ ...safe, ...values }).toMatchObject(safe);
		const options = offered(values).filter((one) => ['boolean', 'string'].includes(one.type));
		expect(options.filter((option) => option.default)).toEqual([]);
	});
});

test('neither the declared requests nor the parameters that choose one take expressions', () => {
	const { requestDefaults, requestOperations } = description;
	const declared = JSON.stringify([properties, requestDefaults, requestOperations]);
	expect(declared).not.toMatch(/"=|\{\{/);
	// When to Publish may have one: anything but its two values is refused.
	const choosing = ['resource', 'operation', 'fields', 'ifExists'];
	const chosen = properties.filter(({ name }) => choosing.includes(name));
	expect(chosen.filter(({ noDataExpression }) => !noDataExpression)).toEqual([]);
});
