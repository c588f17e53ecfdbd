import { readFileSync } from 'node:fs';
import { OpenAPIBackend, type Document } from 'openapi-backend';
import { parse } from 'yaml';
import type { JsonObject } from '../../nodes/LocalSeo/client';
import { dailyRows, readDates } from '../../nodes/LocalSeo/insights';
import {
	isUpsert,
	isWrite,
	mainOperation,
	type Operation,
	type Resource,
	resources,
} from '../../nodes/LocalSeo/resources';
import { SOURCE } from './assumptions';

/** Where n8n looks for what an operation's output looks like before it has run; below the root. */
export const SCHEMAS = 'nodes/LocalSeo/__schema__';

/** Names and types: the editor makes nothing of the rest. */
interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** A response in dev/sandbox/openapi.yaml, as far as its example. */
interface Media {
	examples: { account: { value: { data: JsonObject | JsonObject[] } } };
}

function schemaOf(value: unknown): Schema {
	if (Array.isArray(value)) return { type: 'array', items: schemaOf(value[0]) };
	if (typeof value !== 'object' || value === null) return { type: typeof value };
	const entries = Object.entries(value).map(([name, inner]) => [name, schemaOf(inner)]);
	return { type: 'object', properties: Object.fromEntries(entries) as Record<string, Schema> };
}

/** An item of an operation, made from a record of the resource. */
function itemOf(resource: Resource, operation: Operation, record: JsonObject): JsonObject {
	const { publishTime } = resource;
	if (operation.output === 'table') return dailyRow(record);
	if (!isWrite(operation)) return record;
	const upserted = { created: true, updated: true, unchanged: true };
	return {
		...record,
		...(operation.value === 'create' && publishTime && { goes_live: '' }),
		outcome: '',
		...(isUpsert(operation) && upserted),
	};
}

/** The form in which insights come unless another one is chosen. */
function dailyRow(data: JsonObject): JsonObject {
	const location = { id: String(data.location_id), name: '' };
	const reading = { dates: readDates(undefined), acceptsIncomplete: false };
	const { rows } = dailyRows({ location, data, beside: {}, isWhole: false }, reading);
	return rows[0] as JsonObject;
}

/** The interface shows no response to a deletion, so the node says what it did. */
const DELETED = { id: '', deleted: true, outcome: '' };

/** The schema of one item by file: `nodes/LocalSeo/__schema__/v1.0.0/location/getAll.json`. */
export async function outputSchemas(): Promise<Map<string, string>> {
	const definition = parse(readFileSync(SOURCE, 'utf8')) as Document;
	const api = new OpenAPIBackend({ definition, quick: true });
	await api.init();
	/** The example of a list, or of the one record that is read: its first record has all fields. */
	const exampleOf = ({ value, operations }: Resource) => {
		const { responses } = api.getOperation(`${value}.${mainOperation(operations).value}`)!;
		const { content } = responses!['200'] as unknown as { content: Record<string, Media> };
		return [content['application/json'].examples.account.value.data].flat()[0];
	};
	const files = resources.flatMap((resource) =>
		resource.operations.map((operation): [string, string] => {
			const isDeletion = operation.output === 'deletion';
			const item = isDeletion ? DELETED : itemOf(resource, operation, exampleOf(resource));
			const schema = { ...schemaOf(item), version: 1 };
			const path = `${SCHEMAS}/v1.0.0/${resource.value}/${operation.value}.json`;
			return [path, `${JSON.stringify(schema, null, 2)}\n`];
		}),
	);
	return new Map(files);
}
