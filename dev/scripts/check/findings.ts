import { isRecord, type JsonObject } from '../../../nodes/LocalSeo/client';

export interface Answer {
	status: number;
	headers: Record<string, string>;
	/** Parsed JSON, or the text. */
	body: unknown;
}

/** What is true of an assumption, in words that have nothing of the account in them. */
export interface Finding {
	mark: '✓' | '✗' | '?';
	seen: string;
	/** What to set the option of the node to that makes up for it. */
	to?: string;
}

export const assumed = (seen: string): Finding => ({ mark: '✓', seen });
const otherwise = (seen: string, to?: string): Finding => ({ mark: '✗', seen, to });
export const unseen = (seen: string): Finding => ({ mark: '?', seen: `not seen: ${seen}` });
export const either = (isSo: unknown, seen: string, other = seen, to?: string) =>
	isSo ? assumed(seen) : otherwise(other, to);

export const isDone = (answer?: Answer) => answer !== undefined && answer.status < 300;
const dataOf = (answer?: Answer) => (isDone(answer) ? Object(answer?.body).data : undefined);
export const recordsOf = (answer?: Answer) => [dataOf(answer)].flat().filter(isRecord);
const metaOf = (answer?: Answer) => Object(Object(answer?.body).meta) as JsonObject;
/** How many records a list says it has; what it shows if it does not say. */
export const totalOf = (answer?: Answer) =>
	Number(metaOf(answer).total ?? recordsOf(answer).length);

export function ofList(noun: string, answer?: Answer): Finding {
	const names = ['current_page', 'per_page', 'total'];
	const missing = names.filter((name) => !Number.isInteger(metaOf(answer)[name]));
	if (!answer) return unseen('no response');
	if (!Array.isArray(dataOf(answer))) return otherwise(`${noun}s: no list in data`);
	return either(missing.length === 0, `${noun}s`, `${noun}s: no ${missing.join(', no ')}`);
}

export function ofOne(answer?: Answer): Finding {
	if (!answer) return unseen('no response');
	return either(isRecord(dataOf(answer)), 'an object', 'no object in data');
}

export function ofStatus(expected: number, { status }: Answer): Finding {
	// Ignoring what one does not understand is allowed.
	if (expected === 422 && status < 300) return unseen('it is ignored');
	if (status === 429 || status >= 500) return unseen(`another reason (${status})`);
	return either(status === expected, `${status}`);
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Whether records have the fields of their schema, but for those that have a check of their own. */
export function ofFields(noun: string, records: JsonObject[], schema: JsonObject): Finding {
	const { properties, required } = schema as { properties: JsonObject; required: string[] };
	const isWanted = (name: string) => !('x-check' in Object(properties[name]));
	const isMissing = (name: string) => !records.every((record) => name in record);
	const missing = required.filter(isWanted).filter(isMissing);
	const to = noun === 'insight' ? 'Raw' : 'fields that your records have';
	if (records.length === 0) return unseen(`no ${noun}s`);
	return either(!missing[0], counted(records.length, noun), `no ${missing.join(', no ')}`, to);
}

const timeOf = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : NaN);
const latestOf = (values: unknown[]) => Math.max(...values.map(timeOf).filter((at) => at > 0));

/** What each record of a kind has to be like, and what to set an option to if it is not. */
const EACH: Record<string, [noun: string, (record: JsonObject) => boolean, to?: string]> = {
	publish_at: ['post', (post) => 'publish_at' in post, 'what your posts call it'],
	published: ['post', (post) => 'status' in post || 'published_at' in post],
	position: ['scan', ({ position: at }) => at === null || Number.isInteger(at)],
	'scan date': ['scan', (scan) => timeOf(scan.scanned_at) === latestOf(Object.values(scan))],
};

/** The findings about the records, by the names of their checks. */
export function ofEach(records: Record<string, JsonObject[]>): Record<string, Finding> {
	const found = Object.entries(EACH).map(([check, [noun, holds, to]]) => {
		const [all, count] = [records[noun], records[noun].filter(holds).length];
		const of = counted(all.length, noun);
		const finding = either(count === all.length, of, `${count} of ${of}`, to);
		return [check, all.length > 0 ? finding : unseen(`no ${noun}s`)];
	});
	const fields = Object.values(records).flat().flatMap(Object.entries) as Array<[string, unknown]>;
	const times = fields.filter(([name, value]) => /_at$/.test(name) && value !== null);
	const wrong = times.filter(([, value]) => !/(Z|[+-]\d\d:?\d\d)$/i.test(String(value)));
	const names = [...new Set(wrong.map(([name]) => name))].join(', ');
	const zones = either(!wrong[0], `${times.length} times`, `none in ${names}`);
	return { ...Object.fromEntries(found), 'time zones': zones };
}
