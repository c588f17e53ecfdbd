import type { IExecutePaginationFunctions, ResourceMapperValue } from 'n8n-workflow';

import { nounOfId } from '../client';
import { namesIn } from '../host/requestSettings';
import { isSetByUser, resourceOf, takes } from '../service';
import { cleanHeading, headingKey, isNameless, type Sheet } from './sheet';
import { columnsRead, declarationOf, isByName, type Options, readOptions, textInUrl } from './row';

type Context = IExecutePaginationFunctions;
type Ids = Record<string, string>;

/** How columns of the row become fields; not used where the body is JSON. */
export function readMapping(context: Context): Partial<ResourceMapperValue> {
	return context.getNodeParameter('fields', {}) as Partial<ResourceMapperValue>;
}

export function isAutomatic({ mappingMode }: Partial<ResourceMapperValue>): boolean {
	return mappingMode === 'autoMapInputData';
}

/** Whether the body is written as JSON. */
export function isJson(context: Context): boolean {
	return context.getNodeParameter('dataToSend') === 'json';
}

/** What a field is called in the panel, where it was mapped there; else by its name in the row. */
export function labelOfField(context: Context, id: string): string {
	const { schema, mappingMode } = readMapping(context);
	const column = schema?.find((one) => one.id === id);
	if (!column || isAutomatic({ mappingMode }) || isJson(context)) return id;
	return column.displayName.replace(/ \(assumed\)$/, '');
}

/** An expression of the column mapper, as it stands in the panel. */
export function mappedExpression(context: Context, id: string): unknown {
	const mapping = context.getNode().parameters.fields as Partial<ResourceMapperValue> | undefined;
	return mapping?.value?.[id];
}

/** Whether a field is one that the node knows of itself, or that the panel offers. */
export function isKnownToNode(context: Context, id: string): boolean {
	return knownFields(context).includes(id);
}

function knownFields(context: Context): string[] {
	const { fields, leadingFields = [] } = resourceOf(context.getNodeParameter('resource'));
	const { schema } = readMapping(context);
	const offered = (schema ?? []).map(({ id }) => id);
	return [...fields.map(({ id }) => id), ...leadingFields.filter(isSetByUser), ...offered];
}

/** Headings by the names of the fields that they are sent as. */
type Names = Map<string, string>;

/** By node, too: the same rows may go to several. */
const namesBySheet = new WeakMap<Sheet, Map<string, Names>>();

/**
 * The columns of a sheet that automatic mapping may send. A heading that people write otherwise, `Publish
 * At`, is the field that the node knows, where no other column is called so; but `Status` is not: many
 * keep notes of their own there.
 */
export function automaticNames(context: Context, sheet: Sheet): Names {
	const byNode = namesBySheet.get(sheet) ?? new Map<string, Names>();
	namesBySheet.set(sheet, byNode);
	const node = context.getNode().name;
	const known = byNode.get(node);
	if (known) return known;
	const headings = sheet.headings.filter((heading) => !isNameless(heading));
	const clean = new Set(headings.map(cleanHeading));
	const fields = knownFields(context);
	const made: Names = new Map();
	for (const heading of headings) {
		const own = cleanHeading(heading);
		const key = headingKey(heading);
		if (key === 'status' && own !== 'status') continue;
		const field = fields.find((id) => headingKey(id) === key && !clean.has(id));
		const name = field ?? own;
		// Of two columns that differ in what nobody sees, each keeps its heading.
		made.set(made.has(name) ? heading : name, heading);
	}
	byNode.set(node, made);
	return made;
}

/** What our recipes write into the column `status`, which is no status of a record. */
const WRITTEN_BACK =
	/^(posted|already there|not posted|created|skipped|updated|unchanged|failed|checked|invalid|error)\b/i;

/** Whether a cell of the column `status` says what became of the row. */
export function isWrittenBack(name: string, value: unknown): boolean {
	return name === 'status' && typeof value === 'string' && WRITTEN_BACK.test(value.trim());
}

/**
 * The headings, as keys, that automatic mapping leaves out: `row_number` is added by n8n's Google Sheets
 * node, and an `id` that a source gives its rows is none of the service.
 */
export function excludedKeys(context: Context, ids: Ids): Set<string> {
	const { excludeColumns } = readOptions(context);
	const own = takes('ifExists')(declarationOf(context)) ? ['id'] : [];
	const usual = () => [
		'row_number',
		...Object.keys(ids).flatMap((name) => columnsOfId(context, name, ids)),
	];
	const excluded = excludeColumns === undefined ? usual() : namesIn(excludeColumns);
	return new Set([...excluded, ...own].map(headingKey));
}

/**
 * The columns that say whose record a row is, which the path says already: `location_id` by its name,
 * any other one if it holds that ID and is called `id`, or is where the ID was read from. A name may be
 * read from several: "Bakery East, Boston".
 */
function columnsOfId(context: Context, name: string, ids: Ids): string[] {
	const { json: row } = context.getInputData();
	const holders = isByName(context, name)
		? columnsRead(context, name)
		: ['id', ...columnsRead(context, name)];
	const isGiven = (text: string) =>
		isByName(context, name) ? text !== '' && ids[name].includes(text) : text === ids[name];
	return [
		name,
		`${nounOfId(name)}_id`,
		...holders.filter((column) => isGiven(textInUrl(row[column]))),
	];
}

/** The expression of an additional field, as it stands in the panel. */
export function additionalExpression(context: Context, index: number): unknown {
	const { additionalFields } = (context.getNode().parameters.options ?? {}) as Options;
	return additionalFields?.fields?.[index]?.value;
}
