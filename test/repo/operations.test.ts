import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters, INodePropertyOptions } from 'n8n-workflow';
import { OpenAPIBackend, type Document } from 'openapi-backend';
import { parse } from 'yaml';

import { ROOT } from '../../dev/n8n/home';
import { CONTRACT_FILE, withFormats } from '../../dev/sandbox/contract';
import { SCHEMAS } from '../../dev/scripts/schemas';
import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { columns, useSandbox } from '../support/fixture';
import { operationCases } from '../support/operations';

const service = useSandbox();

const definition = parse(readFileSync(CONTRACT_FILE, 'utf8')) as Document;

// That the sandbox does what the interface says is checked in all other tests, at each of its responses.
test('the interface is described in valid OpenAPI 3.1', async () => {
	expect(definition.openapi).toMatch(/^3\.1/);
	const api = new OpenAPIBackend({ definition, strict: true, customizeAjv: withFormats });
	await expect(api.init()).resolves.toBeDefined();
});

/** `operation.id: METHOD /path/{name}`, as the file describes it. */
const described = Object.entries(definition.paths!).flatMap(([path, item]) =>
	Object.entries(item as Record<string, { operationId?: string }>)
		.filter(([, { operationId }]) => operationId)
		.map(([method, { operationId }]) => {
			return `${operationId}: ${method.toUpperCase()} ${path.replace('/api/v1', '')}`;
		}),
);

const declared = new LocalSeo().description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options }) =>
		(options as INodePropertyOptions[]).map(({ value, routing }) => {
			const [resource] = displayOptions!.show!.resource as string[];
			return { resource, operation: String(value), ...routing! };
		}),
	);

test('each path and method of the interface has an operation; Create or Update alone is our own', () => {
	const own = declared.map(({ resource, operation, request }) => {
		return `${resource}.${operation}: ${request!.method} ${request!.url}`;
	});
	expect(own.sort()).toEqual([...described, 'location.upsert: POST /locations'].sort());
	for (const { send } of declared) expect(send).toEqual({ paginate: true });
});

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** What a value looks like as a schema; null fits anything, so it is left to the schema. */
function shapeOf(value: unknown, schema: Schema): Schema {
	if (value === null) return schema;
	if (Array.isArray(value)) {
		return { type: 'array', items: value.length ? shapeOf(value[0], schema.items!) : schema.items };
	}
	if (typeof value !== 'object') return { type: typeof value };
	const properties = Object.entries(value as IDataObject).map(([name, inner]) => [
		name,
		shapeOf(inner, schema.properties?.[name] ?? { type: 'not in the schema' }),
	]);
	return { type: 'object', properties: Object.fromEntries(properties) as Record<string, Schema> };
}

const upsert = {
	operation: ['location', 'upsert'] as [string, string],
	parameters: (): INodeParameters => ({
		fields: columns({ name: 'New', address: '1 High Street' }),
	}),
};

test.each([...operationCases(service), upsert])(
	'items of $operation match their schema',
	async ({ operation: [resource, operation], parameters }) => {
		const own = resource === 'insight' ? { output: 'rows' } : {};
		const { json, error } = await service.run({ resource, operation, ...parameters(), ...own });
		expect(error).toBeUndefined();
		const file = join(ROOT, SCHEMAS, 'v1.0.0', resource, `${operation}.json`);
		const { type, properties } = JSON.parse(readFileSync(file, 'utf8')) as Schema;
		// A rank scan has a device only if it is known; Create or Update says one of the others.
		for (const name of ['device', 'created', 'updated', 'unchanged']) {
			if (!(name in json[0])) delete properties![name];
		}
		expect(shapeOf(json[0], { type, properties })).toEqual({ type, properties });
	},
);
