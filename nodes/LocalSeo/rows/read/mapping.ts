import type { JsonObject } from '../../client';
import { isUpsert, type Operation, type Resource, takes } from '../../resources';
import { InputError } from '../../text/inputError';
import { asValue } from '../../text/words';
import { isBlank, plainValue, refuseBroken } from './cells';
import { pathsRead, saysWhatEmptyMeans, valueAt } from './expressions';
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
	/** True if it is read as a time whatever the account shows. */
	isTime: boolean;
	/** True if it must not be lacking unnoticed: a time, or a match field. */
	isNeeded: boolean;
	/** True if it is broken; what is wrong with it is noted. */
	isBroken: boolean;
}

type InPanel = Pick<FilledIn, 'field' | 'value' | 'type' | 'expression'>;

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
	{ resource, operation }: { resource: Resource; operation: Operation },
	settings: RowSettings,
): Mapping {
	const { panel, columns: row } = source;
	const compared = comparedFields(resource, operation, settings).map(headingKey);
	const read = (one: InPanel): FilledIn => {
		const isTime = one.type === 'dateTime' || one.field === settings.publishTime;
		const isNeeded = isTime || compared.includes(headingKey(one.field));
		const whole = problems.noting(() => {
			if (isNeeded) refuseLostValue(one, row, isTime);
			return { value: wholeValue(one) };
		});
		return { ...one, value: whole?.value, isTime, isNeeded, isBroken: whole === undefined };
	};
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
function readAdded(source: Source): InPanel[] {
	const { additionalFields } = source.parameter('options', {}) as Options;
	const { additionalFields: inPanel } = Object(source.panel.options) as Options;
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
export function wholeValue({ field, value, type }: Omit<InPanel, 'expression'>): unknown {
	// The JSON text `null` is a value.
	if (type !== 'json') refuseBroken(field, value);
	return plainValue(field, value);
}

/** The fields by which a row of a create is found again. */
function comparedFields(
	{ matchFields: usual = [] }: Resource,
	operation: Operation,
	{ matchFields }: RowSettings,
): string[] {
	if (!takes('ifExists')(operation) && !isUpsert(operation)) return [];
	return matchFields.length > 0 ? matchFields : usual;
}

/**
 * Refuses an expression that comes out empty although a column that it reads is filled, unless it says
 * itself what empty means: a conversion that fails must not publish a post at once.
 *
 * @throws InputError
 */
function refuseLostValue(
	{ field, value, expression }: InPanel,
	row: JsonObject,
	isTime: boolean,
): void {
	if (!isBlank(value) || saysWhatEmptyMeans(expression)) return;
	const filled = pathsRead(expression).find((path) => {
		const own = valueAt(row, path);
		return ['string', 'number'].includes(typeof own) && !isBlank(own);
	});
	if (filled === undefined) return;
	const cell = filled.map((name) => `[${JSON.stringify(name)}]`).join('');
	throw new InputError(
		`${field}: the expression came out empty, and its column "${filled.join('.')}" has ${asValue(valueAt(row, filled))}`,
		`Map the column itself, {{ $json${cell} }}${isTime ? '' : ", or say in the expression what empty means: {{ … ?? '' }}"}.`,
	);
}
