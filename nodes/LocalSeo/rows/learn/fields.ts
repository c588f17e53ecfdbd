import { isEmpty, isSurelyAhead, type JsonObject } from '../../client';
import { fieldNames, type FieldTypeName, typeIn, typeOf } from '../../lookup';
import { NOT_IN_SHEETS, type Resource } from '../../resources';
import { InputError } from '../../text/inputError';
import { asValue } from '../../text/words';
import { convert, nameOfType } from '../read/fieldTypes';
import type { Row } from '../read/row';
import { headingKey } from '../read/sheet';
import { type DateOrder, readTime } from '../read/time';
import { fieldsIn } from './list';

/** "01067" is no number, though a program could make one of it. */
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Types to which a value is converted before all else; a text may be a time. */
const CONVERTED = ['array', 'boolean', 'json', 'number', 'object'];

/** The fields of a resource, as far as its declaration and some records of the account show them. */
export class AccountFields {
	/** How many records were read. */
	readonly count: number;
	/** Names of the fields that they have. */
	readonly seen: ReadonlySet<string>;
	/** The fields that automatic mapping may send; the one that the user names for the time need not be shown. */
	readonly names: string[];
	/** The field with the time to publish, as the account spells it. */
	readonly publishTime?: string;
	private readonly types = new Map<string, FieldTypeName | undefined>();
	private readonly byKey: Map<string, string>;
	private isAheadShown?: boolean;

	constructor(
		private readonly resource: Resource,
		private readonly records: JsonObject[],
		{ publishTime: given, isPublishTimeChosen }: Pick<Row, 'publishTime' | 'isPublishTimeChosen'>,
	) {
		const { publishTime: usual = '' } = resource;
		this.count = records.length;
		this.seen = fieldsIn(records);
		const known = fieldNames(resource, records);
		this.publishTime = given && given !== usual ? spelledAs(given, known) : given;
		const { publishTime } = this;
		const chosen = isPublishTimeChosen && publishTime ? [publishTime] : [];
		// The usual name then means the one that the user has named.
		const renamed = publishTime !== usual && !this.seen.has(usual) ? usual : '';
		const all = new Set([...known, ...chosen]);
		this.names = [...all].filter((name) => !NOT_IN_SHEETS.includes(name) && name !== renamed);
		this.byKey = new Map([...this.names].reverse().map((name) => [headingKey(name), name]));
		// A time is never left out as a column that is no field: At Once, the post would go out.
		if (usual !== '' && !this.names.includes(usual))
			this.byKey.set(headingKey(usual), publishTime!);
		if (publishTime) this.byKey.set(headingKey(publishTime), publishTime);
	}

	/** The field that someone means who writes its name: "Publish At" may be `publish_at`; a name of no field stays. */
	fieldNamed(name: string): string {
		if (this.names.includes(name)) return name;
		return (
			this.fieldFor(headingKey(name)) ??
			spelledAs(
				name,
				this.resource.fields.map(({ id }) => id),
			)
		);
	}

	/** The field that a heading means, by its key; undefined if it is none. */
	fieldFor(key: string): string | undefined {
		return this.byKey.get(key);
	}

	/** True if a record shows a time to come in the field with the time to publish; it is asked for each row. */
	showsAhead(field: string | undefined, now: number): boolean {
		// A record that is public already shows no such time, whatever stands there.
		const isPlanned = (record: JsonObject) =>
			record.status !== 'published' && isSurelyAhead(record[field!], now);
		this.isAheadShown ??= field !== undefined && this.records.some(isPlanned);
		return this.isAheadShown;
	}

	/**
	 * A value as the service keeps it: a time as its ISO text, a number as a text where texts are declared.
	 *
	 * @param type chosen by the user
	 * @throws InputError for a value of another type, and for what is not certainly one moment
	 */
	fitted(
		field: string,
		value: unknown,
		{ type, ...format }: { type?: string; zone: string; order: DateOrder },
	): unknown {
		const isConverted = type !== undefined && CONVERTED.includes(type);
		const own = isConverted ? ofType(field, type, value) : value;
		const mayBeTime = !isConverted && this.typeOf(field) === 'dateTime';
		if (type === 'dateTime' || mayBeTime || field === this.publishTime) {
			return isEmpty(own) ? own : readTime(own, { name: field, ...format });
		}
		if (isConverted) return own;
		const isText = type === 'string' && typeof value !== 'object';
		return isText ? ofType(field, type, value) : this.ofKnownType(field, value);
	}

	/** The type that is declared or, of times and numbers, that all records show. */
	private typeOf(field: string): FieldTypeName | undefined {
		const declared = this.resource.fields.find(({ id }) => id === field)?.type;
		if (declared !== undefined) return declared;
		if (!this.types.has(field)) this.types.set(field, typeIn(this.records, field));
		return this.types.get(field);
	}

	private ofKnownType(field: string, value: unknown): unknown {
		const type = this.typeOf(field);
		if (typeof value === 'object' && value !== null) {
			throw new InputError(
				`${field}: ${asValue(value)} is ${nameOfType(typeOf(value))}`,
				`Map the part of it that is meant, or send ${field} in the option 'Additional Fields', with the type JSON.`,
			);
		}
		const isDeclared = this.resource.fields.some(({ id }) => id === field);
		if (isDeclared && type === 'string' && typeof value === 'number') return String(value);
		const isNumber =
			type === 'number' &&
			typeof value === 'string' &&
			DECIMAL.test(value.trim()) &&
			Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER;
		return isNumber ? Number(value) : value;
	}
}

/** A name as one of those that are known is spelled. */
function spelledAs(name: string, known: string[]): string {
	if (known.includes(name)) return name;
	return known.find((one) => headingKey(one) === headingKey(name)) ?? name;
}

function ofType(field: string, type: string, value: unknown): unknown {
	const result = convert(type, value);
	if ('value' in result) return result.value;
	throw new InputError(`${field}: ${asValue(value)} ${result.flaw}`, 'Correct the value.');
}
