import { readFileSync } from 'node:fs';
import { OpenAPIBackend, type Document } from 'openapi-backend';
import { parse } from 'yaml';
import { output } from '../../nodes/LocalSeo/panel/results';
import { TABLES } from '../../nodes/LocalSeo/insights';
import { resourceOf, isUpsert } from '../../nodes/LocalSeo/resources';
import { SOURCE } from './assumptions';

/** Where n8n looks for what an operation's output looks like before it has run; below the root. */
export const SCHEMAS = 'nodes/LocalSeo/__schema__';

interface Schema {
	type?: string;
	properties?: Record<string, Schema>;
	items?: Schema;
	anyOf?: Schema[];
	allOf?: Schema[];
}

/** What a delete returns: the interface shows no response, so the node says what it did. */
const DELETED: Schema = {
	type: 'object',
	properties: { id: { type: 'string' }, deleted: { type: 'boolean' } },
};

/** What a write adds to the record. */
const OUTCOME: Record<string, Schema> = { outcome: { type: 'string' } };

/** What a create adds to a record that goes live at a time. */
const GOES_LIVE: Record<string, Schema> = { goes_live: { type: 'string' } };

/** What Create or Update adds to it: one of them. */
const UPSERTED: Record<string, Schema> = {
	created: { type: 'boolean' },
	updated: { type: 'boolean' },
	unchanged: { type: 'boolean' },
};

/** The schema of one item by file: `nodes/LocalSeo/__schema__/v1.0.0/location/getAll.json`. */
export async function outputSchemas(): Promise<Map<string, string>> {
	const api = new OpenAPIBackend({
		definition: parse(readFileSync(SOURCE, 'utf8')) as Document,
		quick: true,
	});
	await api.init();
	const files = new Map<string, string>();
	for (const { operationId, responses } of api.router.getOperations()) {
		const [resource, operation] = (operationId ?? '').split('.');
		const [, success] = Object.entries(responses ?? {}).find(([status]) => /^2/.test(status)) ?? [];
		const { content } = (success ?? {}) as { content?: Record<string, { schema: Schema }> };
		const data = content?.['application/json']?.schema.properties?.data;
		const item = tabular(resource, plain(data?.items ?? data ?? DELETED));
		const add = (name: string, schema: Schema) => {
			const text = JSON.stringify({ ...schema, version: 1 }, null, 2);
			files.set(`${SCHEMAS}/v1.0.0/${resource}/${name}.json`, `${text}\n`);
		};
		const isWritten = ['create', 'update', 'delete'].includes(operation);
		const { publishTime, operations } = resourceOf(resource);
		const live = operation === 'create' && publishTime !== undefined ? GOES_LIVE : {};
		const written = { ...item, properties: { ...item.properties, ...live, ...OUTCOME } };
		add(operation, isWritten ? written : item);
		const isUpserted = operations.some(isUpsert);
		if (operation !== 'create' || !isUpserted) continue;
		add('upsert', { ...item, properties: { ...written.properties, ...UPSERTED } });
	}
	return files;
}

/** Names and types alone: the editor makes nothing of the rest. A value that may be null has its other type. */
function plain({ type, properties, items, anyOf, allOf }: Schema): Schema {
	const parts = allOf ?? anyOf?.filter((part) => part.type !== 'null').slice(0, 1);
	if (parts) return plain(merged([{ type, properties, items }, ...parts]));
	if (type === 'array') return { type, items: plain(items ?? {}) };
	if (!properties) return { type: type === 'integer' ? 'number' : type };
	const entries = Object.entries(properties).map(([name, inner]) => [name, plain(inner)]);
	return { type: 'object', properties: Object.fromEntries(entries) };
}

/** The schema of a row, where a record comes out as a table unless the user chooses otherwise. */
function tabular(resource: string, record: Schema): Schema {
	const { tables = [] } = resourceOf(resource);
	const usual = tables.find((name) => name === output[0].default);
	if (!usual) return record;
	const { rows } = TABLES[usual]({ data: exampleOf(record), location: { id: TEXT, name: TEXT } });
	const [row] = rows;
	const columns = Object.entries(row).map(([name, value]) => [name, { type: typeof value }]);
	return { type: 'object', properties: Object.fromEntries(columns) };
}

/** Any text of the example: a date, so that a list of days is one. */
const TEXT = '2026-01-01';

function exampleOf({ type, properties, items }: Schema): unknown {
	if (type === 'array') return [exampleOf(items ?? {})];
	if (type === 'number') return 1;
	if (!properties) return TEXT;
	const entries = Object.entries(properties).map(([name, inner]) => [name, exampleOf(inner)]);
	return Object.fromEntries(entries);
}

function merged(parts: Schema[]): Schema {
	const flat = parts.map((part) => (part.allOf ? merged(part.allOf) : part));
	return {
		type: flat.map(({ type }) => type).find(Boolean),
		items: flat.map(({ items }) => items).find(Boolean),
		properties: flat.some(({ properties }) => properties)
			? Object.assign({}, ...flat.map(({ properties }) => properties))
			: undefined,
	};
}
