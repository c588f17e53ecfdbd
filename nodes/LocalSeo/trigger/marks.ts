import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

/** What is remembered of a value: itself where it is short, else a digest. */
export type Mark = boolean | number | string | null;

/** Texts up to this length are remembered as they are; so is a time in ISO 8601. */
const SHORT = 24;
const DIGEST = '#';
/** Never different, so not worth remembering. */
const FIXED = ['id', 'created_at'];

/** What is different in a record, and the earlier values as far as they were remembered. */
export interface Difference {
	changed: string[];
	before: IDataObject;
}

/** The fields that are watched: marks stand in the order of their names. */
export interface Fields {
	names: string[];
	/** Those that came later, and not in every record: where there is no mark yet they were empty. */
	late: string[];
}

/** Adds the fields that records have to those that are watched. */
export function addNames(fields: Fields, records: IDataObject[], wanted: string[] = []): void {
	for (const name of records.flatMap((record) => Object.keys(record))) {
		const isWanted = wanted.length > 0 ? wanted.includes(name) : !FIXED.includes(name);
		if (!isWanted || fields.names.includes(name)) continue;
		fields.names.push(name);
		if (!records.every((record) => name in record)) fields.late.push(name);
	}
}

export function marksOf(record: IDataObject, { names }: Fields): Mark[] {
	return names.map((name) => markOf(record[name]));
}

/** A field that the service has added to all its records has no mark yet, and is no difference. */
export function differenceOf(record: IDataObject, fields: Fields, marks: Mark[]): Difference {
	const { names, late } = fields;
	const earlier = names.map((name, index) => {
		if (index < marks.length) return marks[index];
		return late.includes(name) ? null : markOf(record[name]);
	});
	const changed = names.filter((name, index) => earlier[index] !== markOf(record[name]));
	const before: IDataObject = {};
	for (const name of changed) {
		const mark = earlier[names.indexOf(name)];
		if (typeof mark !== 'string' || !mark.startsWith(DIGEST)) before[name] = mark;
	}
	return { changed, before };
}

function markOf(value: unknown): Mark {
	if (value === undefined || value === null) return null;
	if (typeof value === 'number' || typeof value === 'boolean') return value;
	if (typeof value === 'string' && value.length <= SHORT && !value.startsWith(DIGEST)) return value;
	return DIGEST + digest(JSON.stringify(value), 6);
}

/** Six bits a character. */
export function digest(text: string, length: number): string {
	return createHash('sha256').update(text).digest('base64').slice(0, length);
}
