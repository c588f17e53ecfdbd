import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { isWrite, resources } from '../../nodes/LocalSeo/resources';

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

const OPERATIONS = resources.flatMap((resource) =>
	resource.operations.map((operation) => [resource.value, operation.value, operation] as const),
);

describe.each(OPERATIONS)('%s %s', (resource, operation, declared) => {
	const values = filled({ resource, operation });
	const shown = shownWith(values);

	test('shows the parameters that it declares, each once', () => {
		const always = ['resource', 'operation', 'options'];
		const switches = isWrite(declared) ? ['dryRun'] : [];
		const all = [...always, ...switches, ...declared.parameters];
		expect([...shown].sort()).toEqual(all.sort());
	});

	test('asks for a location unless All Locations is on, here and not in what an operation before it left', () => {
		const ofAll = shownWith({ ...values, allLocations: true });
		const { parameters } = declared;
		const isOfOne = parameters.includes('locationId') && !parameters.includes('allLocations');
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

const OF_READS = ['acceptIncomplete', 'includeInputFields', 'maxWait', 'queryParameters'];
const OF_FIELDS = ['additionalFields', 'dateOrder', 'excludeColumns', 'ignoreExtraColumns'];
const OF_CREATES = [
	'acceptIncomplete',
	...OF_FIELDS,
	'includeInputFields',
	'matchFields',
	'maxWait',
];
test.each([
	['location', 'getAll', OF_READS],
	['location', 'get', OF_READS],
	['location', 'create', OF_CREATES],
	['location', 'upsert', OF_CREATES],
	['location', 'update', [...OF_FIELDS, 'includeInputFields', 'maxWait']],
	['keyword', 'create', OF_CREATES],
	['keyword', 'delete', ['includeInputFields', 'maxWait']],
	['rankScan', 'getAll', OF_READS],
	['post', 'create', [...OF_CREATES, 'publishTimeField']],
	['insight', 'get', ['dates', 'period', ...OF_READS]],
])('%s %s offers the options %j', (resource, operation, options) => {
	const names = offered(filled({ resource, operation })).map(({ name }) => name);
	expect(names.sort()).toEqual([...options].sort());
});

test('neither the declared requests nor the parameters that choose one take expressions', () => {
	const { requestDefaults, requestOperations } = description;
	const declared = JSON.stringify([properties, requestDefaults, requestOperations]);
	expect(declared).not.toMatch(/"=|\{\{/);
	// When to Publish may have one: anything but its two values is refused.
	const choosing = ['resource', 'operation', 'fields', 'ifExists'];
	const chosen = properties.filter(({ name }) => choosing.includes(name));
	// The name of an additional field decides what is compared, so it is the same for all rows.
	const added = offered(filled({ resource: 'post', operation: 'create' })).find(
		({ name }) => name === 'additionalFields',
	)!;
	const [{ values }] = added.options as INodePropertyCollection[];
	const fixed = [...chosen, ...values.filter(({ name }) => name === 'name')];
	expect(fixed.filter(({ noDataExpression }) => !noDataExpression)).toEqual([]);
});
