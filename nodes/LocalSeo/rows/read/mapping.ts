import type { JsonObject } from '../../client';
import type { Resource } from '../../resources';
import { InputError } from '../../text/inputError';
import { asValue } from '../../text/words';
import { isBlank, plainValue, refuseBroken } from './cells';
import { columnsRead, saysWhatEmptyMeans } from './expressions';
import type { Options, RowSettings } from './parameters';
import type { Problems } from './problems';
import { headingKey } from './sheet';
import type { Source } from './source';

/** The parameter of n8n's column mapper. */
interface ColumnMap {
	mappingMode?: string;
	value?: JsonObject | null;
	schema?: Array<{ id: string; type?: string; removed?: boolean }>;
}

/** A value that the user has given to a field, in the mapper or as an additional field. */
export interface FilledIn {
	field: string;
	/** As it comes from the panel; blank: nothing is sent. */
	value: unknown;
	/** The type that was chosen for it; absent: any. */
	type?: string;
	/** As it stands in the panel. */
	expression: unknown;
}

/** The JSON text `null` is a value; any other blank is none. */
export const isSent = ({ value, type }: Pick<FilledIn, 'value' | 'type'>): boolean =>
	!isBlank(value) || (value === null && type === 'json');

/** How a row becomes a body. */
export interface Mapping {
	/** By its headings, or by what each field is filled with. */
	isAutomatic: boolean;
	/** The fields of the mapper; none in automatic mapping. */
	mapped: FilledIn[];
	/** Additional Fields: they replace the others. */
	added: FilledIn[];
}

/** Reads what the user has given to fields; what is broken is noted. */
export function readMapping(
	source: Source,
	problems: Problems,
	resource: Resource,
	settings: RowSettings,
): Mapping {
	const { panel, columns: row } = source;
	const needed = neededFields(resource, settings);
	const isNeeded = (field: string) => needed.some((one) => headingKey(one) === headingKey(field));
	const read = (one: FilledIn) => ({
		...one,
		value: problems.noting(() => {
			const isTime = one.type === 'dateTime' || one.field === settings.publishTime;
			if (isTime || isNeeded(one.field)) refuseLostValue(one, row, isTime);
			return wholeValue(one);
		}),
	});
	const given = source.parameter('fields', {}) as ColumnMap;
	const isAutomatic = given.mappingMode === 'autoMapInputData';
	const { value: expressions } = (panel.fields ?? {}) as ColumnMap;
	const columns = new Map(given.schema?.map((column) => [column.id, column]));
	const mapped = Object.entries((!isAutomatic && given.value) || {})
		.filter(([field]) => columns.get(field)?.removed !== true)
		.map(([field, value]) => {
			const type = columns.get(field)?.type;
			return { field, value, type, expression: expressions?.[field] };
		});
	return {
		isAutomatic,
		mapped: mapped.map(read),
		added: readAdded(source).map(read),
	};
}

/** @throws InputError for an additional field without a name */
function readAdded(source: Source): FilledIn[] {
	const { additionalFields } = source.parameter('options', {}) as Options;
	const { additionalFields: inPanel } = (source.panel.options ?? {}) as Options;
	return (additionalFields?.fields ?? []).map(({ name = '', type, value }, index) => {
		if (isBlank(name)) {
			throw new InputError('An additional field has no name', 'Enter its name, or remove it.');
		}
		const expression = inPanel?.fields?.[index]?.value;
		return { field: name.trim(), value, type, expression };
	});
}

/**
 * A value as it is sent.
 *
 * @throws InputError for one that is broken
 */
export function wholeValue({ field, value, type }: Omit<FilledIn, 'expression'>): unknown {
	// The JSON text `null` is a value.
	if (type !== 'json') refuseBroken(field, value);
	return plainValue(field, value);
}

/** The fields that a row of a create must not lack unnoticed: its match fields, and the time to publish. */
export function neededFields(
	{ matchFields: usual = [] }: Resource,
	{ matchFields, publishTime }: RowSettings,
): string[] {
	const compared = matchFields.length > 0 ? matchFields : usual;
	return publishTime === undefined ? compared : [...compared, publishTime];
}

/**
 * Refuses an expression that comes out empty although a column that it reads is filled, unless it says
 * itself what empty means: a conversion that fails must not publish a post at once.
 *
 * @throws InputError
 */
function refuseLostValue(
	{ field, value, expression }: FilledIn,
	row: JsonObject,
	isTime: boolean,
): void {
	if (!isBlank(value) || saysWhatEmptyMeans(expression)) return;
	const filled = columnsRead(expression).find((column) =>
		['string', 'number'].includes(typeof row[column]) ? !isBlank(row[column]) : false,
	);
	if (filled === undefined) return;
	throw new InputError(
		`${field}: the expression came out empty, and its column "${filled}" has ${asValue(row[filled])}`,
		`Map the column itself, {{ $json[${JSON.stringify(filled)}] }}${isTime ? '' : ", or say in the expression what empty means: {{ … ?? '' }}"}.`,
	);
}
