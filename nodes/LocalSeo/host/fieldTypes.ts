import type { IExecutePaginationFunctions } from 'n8n-workflow';
import { validateFieldType } from 'n8n-workflow';

type Context = Pick<IExecutePaginationFunctions, 'getTimezone'>;
type Reader = (value: unknown, context: Context) => unknown;

/** Part of luxon's DateTime, in which n8n gives dates. */
interface DateTime {
	setZone(zone: string, options: { keepLocalTime: boolean }): DateTime;
	toISO(): string;
}

/** Texts that are dates; n8n by itself would also accept "offer 12", and a number. */
const DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$/i;
/** A day, or a time that says its zone: that is sent as it was entered. */
const UNAMBIGUOUS = /^\d{4}-\d{2}-\d{2}$|:\S*(Z|[+-]\d{2}(:?\d{2})?)$/i;

/** The name of a type in messages, and how its values are read; undefined where it is none. */
const TYPES: Record<string, { name: string; read: Reader }> = {
	array: { name: 'a list', read: byHost('array') },
	boolean: { name: 'yes or no (true or false)', read: byHost('boolean') },
	dateTime: { name: 'a date, such as 2026-12-31 or 2026-12-31T18:00', read: readDate },
	json: {
		name: 'valid JSON',
		read: (value) => (typeof value === 'string' ? parsed(value) : value),
	},
	number: { name: 'a number', read: readNumber },
	object: { name: 'an object', read: byHost('object') },
	string: { name: 'text', read: asText },
};

/** The value in the type that was chosen for it, or what it is not, to be put into a message. */
export function convert(
	context: Context,
	type: string | undefined,
	value: unknown,
): { value: unknown } | { flaw: string } {
	const known = TYPES[type ?? ''];
	if (!known) return { value };
	const read = known.read(value, context);
	return read === undefined ? { flaw: `is not ${known.name}` } : { value: read };
}

/** As n8n reads values of its column mapper. */
function byHost(type: 'array' | 'boolean' | 'object'): Reader {
	return (value) => {
		const result = validateFieldType('', value, type);
		return result.valid ? result.newValue : undefined;
	};
}

function readNumber(value: unknown): number | undefined {
	const isText = typeof value === 'string' && value.trim() !== '';
	const number = isText || typeof value === 'number' ? Number(value) : NaN;
	return Number.isFinite(number) ? number : undefined;
}

/** A date and time without a zone is meant in the workflow's. */
function readDate(value: unknown, context: Context): unknown {
	const text = typeof value === 'string' ? value.trim() : undefined;
	if (typeof value === 'number' || (text !== undefined && !DATE.test(text))) return undefined;
	const result = validateFieldType('', value, 'dateTime');
	if (!result.valid) return undefined;
	const date = result.newValue as unknown as DateTime;
	if (text === undefined) return date.toISO();
	// n8n also takes the 31st of February, for a day in March.
	if (!date.toISO().startsWith(text.slice(0, 10))) return undefined;
	if (UNAMBIGUOUS.test(text)) return text;
	return date.setZone(context.getTimezone(), { keepLocalTime: true }).toISO();
}

/** A date becomes its ISO text, anything else that is no text its JSON. */
function asText(value: unknown): string {
	const json = JSON.stringify(value);
	return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
