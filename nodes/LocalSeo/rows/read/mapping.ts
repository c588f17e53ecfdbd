import { type JsonObject, nounOfId } from '../../client';
import { namesIn } from '../../host/requestSettings';
import { isSetByUser, type Operation, type Resource, takes } from '../../resources';
import { columnsRead, expressionOf, isByName, type Options, textInUrl } from './parameters';
import { cleanHeading, headingKey, isNameless, type Sheet } from './sheet';
import type { Source } from './source';

type Ids = Record<string, string>;

/** The parameter of n8n's column mapper. */
export interface ColumnMap {
	mappingMode?: string;
	value?: JsonObject | null;
	schema?: Array<{ id: string; displayName: string; type?: string; removed?: boolean }>;
}

/** How a row becomes a body. */
export interface Mapping {
	/** By its headings, by what each column is filled with, or by JSON; without a body, there is nothing. */
	kind: 'automatic' | 'columns' | 'json' | 'none';
	/** Headings of the fields that the node knows of itself, or that the panel offers. */
	known: string[];
	/** The headings that automatic mapping may send, by the names of their fields. */
	names: Headings;
	/** The headings that it leaves out. */
	excluded: Set<string>;
	/** The name of a field in the panel, where it was mapped there; else by its name in the row. */
	labelOf(field: string): string;
}

export const NO_BODY: Mapping = {
	kind: 'none',
	known: [],
	names: new Map(),
	excluded: new Set(),
	labelOf: (field) => field,
};

/** How the body of a row is made. */
export function mappingOf(
	source: Source,
	{ resource, operation }: { resource: Resource; operation: Operation },
	{ sheet, ids, options }: { sheet: Sheet; ids: Ids; options: Options },
): Mapping & { given: ColumnMap } {
	const { fields, leadingFields = [] } = resource;
	const isJson = source.parameter('dataToSend') === 'json';
	const given: ColumnMap = isJson ? {} : (source.parameter('fields', {}) as ColumnMap);
	const offered = given.schema ?? [];
	const known = [
		...fields.map(({ id }) => id),
		...leadingFields.filter(isSetByUser),
		...offered.map(({ id }) => id),
	];
	const common = { ...NO_BODY, given, known };
	if (isJson) return { ...common, kind: 'json' };
	if (given.mappingMode !== 'autoMapInputData') {
		const labelOf = (field: string) =>
			offered.find(({ id }) => id === field)?.displayName.replace(/ \(assumed\)$/, '') ?? field;
		return { ...common, kind: 'columns', labelOf };
	}
	const keys = excludedNames(source, ids, operation, options);
	const excluded = new Set(keys.flatMap((name) => sheet.like(name)));
	return {
		...common,
		kind: 'automatic',
		names: automaticNames(source.node, sheet, known),
		excluded,
	};
}

/** Headings by the names of the fields that they are sent as. */
type Headings = Map<string, string>;

/** By node, too: the same rows may go to several. */
const namesBySheet = new WeakMap<Sheet, Map<string, Headings>>();

/**
 * The columns of a sheet that automatic mapping may send. A heading that people write otherwise, `Publish
 * At`, is the field that the node knows, where no other column is called so; but `Status` is not: many
 * keep notes of their own there.
 */
function automaticNames(node: string, sheet: Sheet, fields: string[]): Headings {
	const byNode = namesBySheet.get(sheet) ?? new Map<string, Headings>();
	namesBySheet.set(sheet, byNode);
	const known = byNode.get(node);
	if (known) return known;
	const headings = sheet.headings.filter((heading) => !isNameless(heading));
	const clean = new Set(headings.map(cleanHeading));
	const byKey = new Map([...fields].reverse().map((id) => [headingKey(id), id]));
	const made: Headings = new Map();
	for (const heading of headings) {
		const own = cleanHeading(heading);
		const key = headingKey(heading);
		if (key === 'status' && own !== 'status') continue;
		const field = byKey.get(key);
		const name = field !== undefined && !clean.has(field) ? field : own;
		// Two columns that differ in what nobody sees each keep their heading.
		made.set(made.has(name) ? heading : name, heading);
	}
	byNode.set(node, made);
	return made;
}

/** The words that our recipes write into the column `status`, which is no status of a record. */
const WRITTEN_BACK =
	/^(posted|already there|not posted|created|skipped|updated|unchanged|failed|checked|invalid|error)\b/i;

/** Whether a cell of the column `status` says what became of the row. */
export function isWrittenBack(name: string, value: unknown): boolean {
	return name === 'status' && typeof value === 'string' && WRITTEN_BACK.test(value.trim());
}

/**
 * The headings, in whatever spelling, that automatic mapping leaves out: `row_number` is added by n8n's Google Sheets
 * node, and an `id` that a source gives its rows is none of the service.
 */
function excludedNames(
	source: Source,
	ids: Ids,
	operation: Operation,
	{ excludeColumns }: Options,
): string[] {
	const own = takes('ifExists')(operation) ? ['id'] : [];
	const usual = () => [
		'row_number',
		...Object.keys(ids).flatMap((name) => columnsOfId(source, name, ids)),
	];
	const excluded = excludeColumns === undefined ? usual() : namesIn(excludeColumns);
	return [...excluded, ...own];
}

/**
 * The columns that say whose record a row is, which the path says already: `location_id` by its name,
 * any other one if it holds that ID and is called `id`, or is where the ID was read from. A name may be
 * read from several: "Bakery East, Boston".
 */
function columnsOfId(source: Source, name: string, ids: Ids): string[] {
	const { columns: row } = source;
	const read = columnsRead(expressionOf(source, name));
	const isName = isByName(source, name);
	const holders = isName ? read : ['id', ...read];
	const isGiven = (text: string) =>
		isName ? text !== '' && ids[name].includes(text) : text === ids[name];
	return [
		name,
		`${nounOfId(name)}_id`,
		...holders.filter((column) => isGiven(textInUrl(row[column]))),
	];
}
