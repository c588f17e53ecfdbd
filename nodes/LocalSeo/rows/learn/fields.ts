import { isAheadOf, isEmpty, type JsonObject, textOf } from '../../client';
import { fieldNames, type FieldTypeName, typeIn, typeOf } from '../../lookup';
import { NOT_IN_SHEETS, type Resource } from '../../resources';
import { InputError } from '../../text/inputError';
import { asValue } from '../../text/words';
import type { DateOrder } from '../read/dateOrder';
import { convert, nameOfType } from '../read/fieldTypes';
import type { Row } from '../read/row';
import { headingKey } from '../read/sheet';
import { readTime } from '../read/time';
import { fieldsIn } from './existing';

/** "01067" is no number, though a program could make one of it. */
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** The fields of a resource, as far as its declaration and some records of the account show them. */
export class AccountFields {
	/** How many records were read. */
	readonly count: number;
	/** Names of the fields that they have. */
	readonly seen: ReadonlySet<string>;
	/** The fields that automatic mapping may send; the one that the user names for the time need not be shown. */
	readonly names: string[];
	private readonly types = new Map<string, FieldTypeName | undefined>();
	private readonly byKey: Map<string, string>;
	private readonly ofDays = new Map<string, boolean>();

	constructor(
		private readonly resource: Resource,
		private readonly records: JsonObject[],
		private readonly time: Pick<Row, 'publishTime' | 'isPublishTimeChosen'>,
	) {
		const { publishTime, isPublishTimeChosen } = time;
		const { publishTime: usual = '' } = resource;
		this.count = records.length;
		this.seen = fieldsIn(records);
		const chosen = isPublishTimeChosen && publishTime ? [publishTime] : [];
		// The usual name then means the one that the user has named.
		const renamed = publishTime !== usual && !this.seen.has(usual) ? usual : '';
		const all = new Set([...fieldNames(resource, records), ...chosen]);
		this.names = [...all].filter((name) => !NOT_IN_SHEETS.includes(name) && name !== renamed);
		this.byKey = new Map([...this.names].reverse().map((name) => [headingKey(name), name]));
		if (renamed !== '') this.byKey.set(headingKey(renamed), publishTime!);
	}

	/** The field that a heading means, by its key; undefined if it is none. */
	fieldFor(key: string): string | undefined {
		return this.byKey.get(key);
	}

	/** True if a record shows a field with a time that is still to come. */
	showsAhead(field: string, now: number): boolean {
		return this.records.some((record) => isAheadOf(record[field], now));
	}

	isTime(field: string): boolean {
		return field === this.time.publishTime || this.typeOf(field) === 'dateTime';
	}

	/** True if no record shows a value of a field, so that it may hold times. */
	mayBeTime(field: string): boolean {
		return this.isTime(field) || this.typeOf(field) === undefined;
	}

	/** True if all values of a field are days without a time. */
	private isOfDays(field: string): boolean {
		const values = () => this.records.map((record) => textOf(record[field] ?? '')).filter(Boolean);
		const are = (all: string[]) =>
			all.length > 0 && all.every((value) => /^\d{4}-\d\d-\d\d$/.test(value));
		const known = this.ofDays.get(field) ?? are(values());
		this.ofDays.set(field, known);
		return known;
	}

	/**
	 * A value as the service keeps it: a time as its ISO text, a number as a text where texts are kept.
	 *
	 * @param type chosen by the user
	 * @throws InputError for a value of another type, and for what is not certainly one moment
	 */
	fitted(
		field: string,
		value: unknown,
		{ type, zone, order }: { type?: string; zone: string; order: DateOrder },
	): unknown {
		const mayBeTime = !isConverted(type) || type === 'string' || field === this.time.publishTime;
		if (type === 'dateTime' || (mayBeTime && this.isTime(field))) {
			const plain = isConverted(type) && type !== 'string' ? ofType(field, type, value) : value;
			const isOfDays = this.isOfDays(field);
			return isEmpty(plain) ? plain : readTime(plain, { name: field, zone, order, isOfDays });
		}
		const isList = typeof value === 'object' && type === 'string' && this.declared(field);
		const chosen = isConverted(type) && !isList ? ofType(field, type, value) : value;
		const known = this.typeOf(field);
		return known === undefined ? chosen : this.ofKnownType(field, known, chosen);
	}

	private declared(field: string): FieldTypeName | undefined {
		return this.resource.fields.find(({ id }) => id === field)?.type;
	}

	/** The type that is declared, or that all records show. */
	private typeOf(field: string): FieldTypeName | undefined {
		const known = this.declared(field);
		if (known !== undefined) return known;
		if (!this.types.has(field)) this.types.set(field, typeIn(this.records, field));
		return this.types.get(field);
	}

	private ofKnownType(field: string, type: FieldTypeName, value: unknown): unknown {
		const own = typeOf(value);
		// A title may look like a date.
		if (isEmpty(value) || own === type || (type === 'string' && own === 'dateTime')) return value;
		if (type === 'string' && own === 'number') return String(value);
		const isText = own === 'string' || own === 'dateTime';
		const isSwitch = type === 'boolean' && isText;
		const isNumber = type === 'number' && isText && DECIMAL.test(String(value).trim());
		if (isSwitch || isNumber) return ofType(field, type, value);
		throw new InputError(
			`${field}: ${asValue(value)} is ${nameOfType(own)}, and ${this.holderOf(field)} ${nameOfType(type)} there`,
			type === 'array' || type === 'object'
				? `Send ${field} in the option 'Additional Fields', with the type JSON.`
				: 'Map the part of it that is meant.',
		);
	}

	private holderOf(field: string): string {
		const { noun } = this.resource;
		return this.declared(field) === undefined ? `the other ${noun}s have` : `a ${noun} has`;
	}
}

/** Types for which a text is converted; the others leave a value as it is. */
const isConverted = (type: string | undefined): type is string =>
	type !== undefined && ['array', 'boolean', 'json', 'number', 'object', 'string'].includes(type);

function ofType(field: string, type: string, value: unknown): unknown {
	const result = convert(type, value);
	if ('value' in result) return result.value;
	throw new InputError(`${field}: ${asValue(value)} ${result.flaw}`, 'Correct the value.');
}
