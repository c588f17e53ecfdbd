import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { ROOT } from '../../dev/n8n/home';
import { outputSchemas, SCHEMAS } from '../../dev/scripts/schemas';
import { columns, useSandbox } from '../support/fixture';
import { operationCases } from '../support/operations';

const service = useSandbox();

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

const schemaOf = (resource: string, operation: string) =>
	JSON.parse(
		readFileSync(join(ROOT, SCHEMAS, 'v1.0.0', resource, `${operation}.json`), 'utf8'),
	) as Schema;

test('every operation of the node has one', async () => {
	const operations = new LocalSeo().description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			(options as INodeProperties[]).map((option) =>
				[
					`${SCHEMAS}/v1.0.0`,
					`${displayOptions!.show!.resource![0]}`,
					`${(option as never as { value: string }).value}.json`,
				].join('/'),
			),
		);
	expect([...(await outputSchemas()).keys()].sort()).toEqual(operations.sort());
});

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
		const { type, properties } = schemaOf(resource, operation);
		// A rank scan has a `device` only if it is known.
		if (resource === 'rankScan' && !('device' in json[0])) delete properties!.device;
		// Create or Update says one of these.
		for (const name of ['created', 'updated', 'unchanged']) {
			if (!(name in json[0])) delete properties![name];
		}
		expect(shapeOf(json[0], { type, properties })).toEqual({ type, properties });
	},
);
