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

/** Adds the fields that records have to those that are watched: marks stand in this order. */
export function addNames(names: string[], records: IDataObject[], wanted: string[] = []): void {
	for (const name of records.flatMap((record) => Object.keys(record))) {
		const isWanted = wanted.length > 0 ? wanted.includes(name) : !FIXED.includes(name);
		if (isWanted && !names.includes(name)) names.push(name);
	}
}

export function marksOf(record: IDataObject, names: string[]): Mark[] {
	return names.map((name) => markOf(record[name]));
}

/** A field that came to be known later has no mark yet: it is learned, and no difference. */
export function differenceOf(record: IDataObject, names: string[], marks: Mark[]): Difference {
	const changed = names.filter(
		(name, index) => index < marks.length && marks[index] !== markOf(record[name]),
	);
	const before: IDataObject = {};
	for (const name of changed) {
		const mark = marks[names.indexOf(name)];
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
