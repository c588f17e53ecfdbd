import type { JsonObject } from '../../client';
import { InputError } from '../../text/inputError';
import { isBlank, plainValue, refuseBroken } from './cells';
import { columnsRead, isExpression } from './expressions';
import type { Options } from './parameters';
import type { Problems } from './problems';
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
	/** As it is sent; blank: nothing is. */
	value: unknown;
	/** The type that was chosen for it; absent: any. */
	type?: string;
	isExpression: boolean;
	/** The columns that its expression reads, as far as they are seen. */
	reads: string[];
	/** True if it is broken; what is wrong with it is noted. */
	isBroken: boolean;
}

interface InPanel {
	field: string;
	value: unknown;
	type?: string;
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
export function readMapping(source: Source, problems: Problems): Mapping {
	const read = ({ expression, ...one }: InPanel): FilledIn => {
		const whole = problems.noting(() => ({ value: wholeValue(one) }));
		return {
			...{ ...one, value: whole?.value, isBroken: whole === undefined },
			...{ isExpression: isExpression(expression), reads: columnsRead(expression) },
		};
	};
	const given = source.parameter('fields', {}) as ColumnMap;
	const isAutomatic = given.mappingMode === 'autoMapInputData';
	const { value: expressions } = (source.panel.fields ?? {}) as ColumnMap;
	const columns = new Map(given.schema?.map((column) => [column.id, column]));
	const mapped = Object.entries((!isAutomatic && given.value) || {})
		.filter(([field]) => columns.get(field)?.removed !== true)
		.map(([field, value]) => {
			const type = columns.get(field)?.type;
			return { field, value, type, expression: expressions?.[field] };
		});
	return { isAutomatic, mapped: mapped.map(read), added: readAdded(source).map(read) };
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
