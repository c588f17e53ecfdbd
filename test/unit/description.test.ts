import type { INode, INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';

const node = new LocalSeo();
const { properties } = node.description;
const operations = properties.filter(({ name }) => name === 'operation');
const combinations = operations.flatMap(({ displayOptions, options }) =>
	(options ?? []).map((option) => ({
		resource: displayOptions!.show!.resource![0] as string,
		operation: (option as { value: string }).value,
	})),
);

/** The parameters as n8n fills them in for a node that was just set to an operation. */
function shown(parameters: INodeParameters): string[] {
	const filled = NodeHelpers.getNodeParameters(
		properties,
		parameters,
		true,
		false,
		{ typeVersion: 1 } as INode,
		node.description,
	)!;
	return properties
		.filter(({ type }) => type !== 'hidden')
		.filter((property) =>
			NodeHelpers.displayParameter(filled, property, { typeVersion: 1 } as INode, node.description),
		)
		.map(({ name }) => name);
}

const everywhere = ['resource', 'operation'];
const paging = ['returnAll', 'limit'];
const writing = ['dataToSend', 'fields'];

test.each([
	['location', 'getAll', paging],
	['location', 'get', ['locationId']],
	['location', 'create', writing],
	['location', 'update', ['locationId', ...writing]],
	['keyword', 'getAll', ['locationId', ...paging]],
	['keyword', 'create', ['locationId', ...writing]],
	['keyword', 'delete', ['locationId', 'keywordId']],
	['rankScan', 'getAll', ['locationId', 'keywordId', ...paging]],
	['post', 'getAll', ['locationId', ...paging]],
	['post', 'create', ['locationId', ...writing]],
	['insight', 'get', ['locationId']],
])('%s %s shows its parameters alone', (resource, operation, parameters) => {
	expect(shown({ resource, operation })).toEqual([...everywhere, ...parameters, 'options']);
});

test('parameters left over from another operation show nothing more', () => {
	const leftOver = { isOfLocation: 'yes', isOfKeyword: 'yes', isList: 'yes', returnAll: true };
	expect(shown({ resource: 'location', operation: 'create', ...leftOver })).not.toContain(
		'locationId',
	);
	expect(shown({ resource: 'post', operation: 'create', ...leftOver })).not.toContain('keywordId');
});

test('there are the eleven operations of the interface', () => {
	expect(combinations).toHaveLength(11);
});

test('a parameter that may hold an expression is defined once', () => {
	const names = properties
		.filter(({ type, noDataExpression }) => type !== 'hidden' && !noDataExpression)
		.map(({ name }) => name);
	expect(names).toEqual([...new Set(names)]);
});

test('no expression stands in a declaration on the request path', () => {
	const { requestDefaults, requestOperations } = node.description;
	const declared = JSON.stringify([properties, requestDefaults, requestOperations]);
	expect(declared).not.toMatch(/"=|\{\{/);
});

test('resource, operation and what else chooses the request takes no expression', () => {
	const chooses = ['resource', 'operation', 'dataToSend', 'fields'];
	const open = properties.filter(
		({ name, noDataExpression }) => chooses.includes(name) && !noDataExpression,
	);
	expect(open).toEqual([]);
});

test('options stand in the order of their names', () => {
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
