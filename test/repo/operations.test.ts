import { readFileSync } from 'node:fs';
import type { INodePropertyOptions } from 'n8n-workflow';
import { parse } from 'yaml';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { CONTRACT_FILE } from '../../dev/sandbox/contract';

/** `operation.id: METHOD /path/{name}`, once as the file describes it and once as the node declares it. */
const described = () => {
	const { paths } = parse(readFileSync(CONTRACT_FILE, 'utf8')) as {
		paths: Record<string, Record<string, { operationId?: string }>>;
	};
	return Object.entries(paths).flatMap(([path, item]) =>
		Object.entries(item)
			.filter(([, operation]) => operation.operationId)
			.map(
				([method, { operationId }]) =>
					`${operationId}: ${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
			),
	);
};

const declared = () =>
	new LocalSeo().description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			(options as INodePropertyOptions[]).map(({ value, routing }) => {
				const [resource] = displayOptions!.show!.resource!;
				const { method, url } = routing!.request!;
				expect(routing!.send).toEqual({ paginate: true });
				return `${resource}.${value}: ${method} ${url}`;
			}),
		);

// That the requests themselves are valid is checked by the sandbox, in every test of test/node:
// it refuses a request that does not fit the file, and close() rejects for a response that does not.
test('each path and method of the interface has an operation, and there are no others', () => {
	const own = (operation: string) => !operation.startsWith('location.upsert: ');
	expect(declared().filter(own).sort()).toEqual(described().sort());
});

// Not in the interface: it is Create or Update, by what the list shows.
test('Create or Update declares the request of Create', () => {
	expect(declared()).toContain('location.create: POST /locations');
	expect(declared()).toContain('location.upsert: POST /locations');
});
