import { isRecord, type JsonObject, nounOfId, textOf } from '../../client';
import { isUpsert, namesOf, type Operation, type Resource } from '../../resources';
import { InputError } from '../../text/inputError';
import { asValue } from '../../text/words';
import type { Item } from '../item';
import { isBlank } from './cells';
import { columnsRead, expressionOf, type Options, textInUrl } from './parameters';
import type { ReadBefore } from './request';
import { type Headings, likeHeading, type Sheet } from './sheet';
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
	/** Names of the Additional Fields. */
	added: Set<string>;
	/** The name of a field in the panel, where it was mapped there; else by its name in the row. */
	labelOf(field: string): string;
}

export const NO_BODY: Mapping = {
	kind: 'none',
	known: [],
	names: new Map(),
	excluded: new Set(),
	added: new Set(),
	labelOf: (field) => field,
};

/** How the body of a row is made. */
export function mappingOf(
	source: Source,
	{ resource, operation }: { resource: Resource; operation: Operation },
	{ sheet, ids, isByName, options }: { sheet: Sheet; ids: Ids } & ReadBefore,
): Mapping & { given: ColumnMap } {
	const isJson = source.parameter('dataToSend') === 'json';
	const given: ColumnMap = isJson ? {} : (source.parameter('fields', {}) as ColumnMap);
	const offered = given.schema ?? [];
	const known = [...namesOf(resource), ...offered.map(({ id }) => id)];
	const added = new Set(options.additionalFields?.fields?.map(({ name = '' }) => name));
	const common = { ...NO_BODY, given, known, added };
	if (isJson) return { ...common, kind: 'json' };
	if (given.mappingMode !== 'autoMapInputData') {
		const labelOf = (field: string) =>
			offered.find(({ id }) => id === field)?.displayName.replace(/ \(assumed\)$/, '') ?? field;
		return { ...common, kind: 'columns', labelOf };
	}
	// `row_number` is added by n8n's Google Sheets node, and an `id` that a source gives its rows is none of
	// the service, or stands in the path.
	const own = isUpsert(operation) ? [] : ['id'];
	const { excludeColumns } = options;
	// A title of which a part names the location is a title all the same.
	const texts = operation.value === 'create' ? (resource.matchFields ?? []) : [];
	const usual = () => [
		'row_number',
		...Object.keys(ids).flatMap((name) =>
			columnsOfId(source, name, ids[name], isByName).filter(
				(column) => !likeHeading(column, texts) || textInUrl(source.columns[column]) === ids[name],
			),
		),
	];
	// The column of a name is the location's, whatever else is left out.
	const ofName = isByName && !isBlank(excludeColumns) ? usual().slice(1) : [];
	// A heading that the user names is meant to the letter where there is one.
	const named = (name: string) => (sheet.has(name) ? [name] : sheet.like(name));
	const leftOut =
		excludeColumns === undefined
			? usual().flatMap((name) => sheet.like(name))
			: [...columnsIn(sheet, excludeColumns), ...ofName].flatMap(named);
	const ofCheck = isOfDryRun(source.columns) ? sheet.headings.filter(isOnlyOfDryRun) : [];
	const excluded = new Set([...leftOut, ...own.flatMap((name) => sheet.like(name)), ...ofCheck]);
	return {
		...common,
		kind: 'automatic',
		names: sheet.fieldNames(source.node, known),
		excluded,
	};
}

/**
 * A location that was picked once for all rows, beside a column that names several, was left over from a test.
 *
 * @throws InputError for a row of another location
 */
export function refuseOtherLocation(
	source: Source,
	{ kind }: Mapping,
	{ sheet, ids: { locationId: id = '' }, options }: { sheet: Sheet; ids: Ids; options: Options },
): void {
	const expression = String(expressionOf(source, 'locationId'));
	const isFixed = id !== '' && !expression.startsWith('=') && options.excludeColumns === undefined;
	const [heading] = isFixed && kind === 'automatic' ? sheet.like('location_id') : [];
	if (heading === undefined) return;
	const own = textInUrl(source.columns[heading]);
	if (own === '' || own === id || !sheet.hasSeveral(heading)) return;
	throw new InputError(
		`The row has the location ${asValue(own)}, but 'Location' is ${asValue(id)} for all rows`,
		`Nothing was sent. Set 'Location' to By ID and {{ $json.${heading} }}, or leave the column out with the option 'Exclude Columns'.`,
	);
}

/** Columns that an option names, separated by commas: a heading may have some of its own. */
function columnsIn(sheet: Sheet, value: unknown): string[] {
	const parts = (Array.isArray(value) ? value : [value ?? '']).flatMap((one) =>
		textOf(one).split(','),
	);
	const most = 1 + Math.max(0, ...sheet.headings.map((heading) => heading.split(',').length - 1));
	const names: string[] = [];
	for (let at = 0; at < parts.length; ) {
		const nameOf = (count: number) =>
			parts
				.slice(at, at + count)
				.join(',')
				.trim();
		let count = Math.min(most, parts.length - at);
		while (count > 1 && sheet.like(nameOf(count)).length === 0) count--;
		names.push(nameOf(count));
		at += count;
	}
	return names.filter((name) => name !== '');
}

/** Columns that a dry run adds to what would be sent (`plan/forecast.ts`). */
const OF_DRY_RUN = ['action', 'problem', 'warning', 'advice', 'request', 'location_name'];
const ACTIONS = ['create', 'update', 'skip', 'delete', 'invalid'];

/** Whether a row is what a dry run has said of it: the next step is to send it. */
function isOfDryRun({ action, request }: Item['json']): boolean {
	return ACTIONS.includes(textOf(action)) && /^(POST|PATCH|DELETE)\b|^$/.test(textOf(request));
}

const isOnlyOfDryRun = (name: string) => OF_DRY_RUN.includes(name) || /^input_|_local$/.test(name);

/** The words that our recipes write into the column `status`, which is no status of a record. */
const WRITTEN_BACK =
	/^(posted|already there|not posted|created|skipped|updated|unchanged|failed|checked|invalid|error)\b/i;

/** Whether a cell of the column `status` says what became of the row, or is the error of this node. */
export function isWrittenBack(name: string, value: unknown): boolean {
	if (name === 'error') return isRecord(value) && typeof value.message === 'string';
	return name === 'status' && typeof value === 'string' && WRITTEN_BACK.test(value.trim());
}

/**
 * The columns that say whose record a row is, which the path says already: `location_id` by its name,
 * any other one if it holds that ID and is called `id`, or is where the ID was read from. A name may be
 * read from several: "Bakery East, Boston".
 */
function columnsOfId(source: Source, name: string, id: string, isName: boolean): string[] {
	const { columns: row } = source;
	const read = columnsRead(expressionOf(source, name));
	const holders = isName ? read : ['id', ...read];
	const given = id.toLowerCase();
	// An expression may take a part of a cell, or write it otherwise: `{{ $json.shop.toUpperCase() }}`.
	const isGiven = (text: string) =>
		isName ? text !== '' && (given.includes(text) || text.includes(given)) : text === given;
	return [
		name,
		`${nounOfId(name)}_id`,
		...holders.filter((column) => isGiven(textInUrl(row[column]).toLowerCase())),
	];
}
