import {
	idOf,
	instantOfIso,
	isRecord,
	type JsonObject,
} from '../../../nodes/LocalSeo/client';
import type { Assumption } from '../assumptions';
import {
	type Evidence,
	isDone,
	MOST_A_PAGE,
	type Keyword,
	metaOf,
	type Noun,
	recordsOf,
	totalOf,
} from './account';

const timeOf = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : NaN);
const isDate = (value: unknown) => timeOf(value) > 0;
import type { Answer } from './service';

/** What is true of an assumption, in words that have nothing of the account in them. */
export interface Finding {
	outcome: 'assumed' | 'otherwise' | 'unseen';
	seen: string;
	/** To what to set the option of the node that makes up for it; absent: nothing is to be done. */
	to?: string;
	/** Which option; absent: the first that the assumption names. */
	option?: string;
}

type Judge<Subject> = (subject: Subject, evidence: Evidence, assumption: Assumption) => Finding;
type Check = (evidence: Evidence, assumption: Assumption) => Finding;

/** True for a time with a zone, such as `2027-12-24T09:00:00Z`. */
const isZoned = (value: unknown) =>
	typeof value === 'string' &&
	/(?:Z|[+-]\d\d:?\d\d)$/i.test(value) &&
	instantOfIso(value) !== undefined;

const assumed = (seen: string): Finding => ({ outcome: 'assumed', seen });
const otherwise = (seen: string, to?: string): Finding => ({ outcome: 'otherwise', seen, to });
const either = (isSo: unknown, seen: string, other: string) =>
	isSo ? assumed(seen) : otherwise(other);
export const unseen = (seen: string): Finding => ({ outcome: 'unseen', seen });

const OWN_NAME = "the name in your service's documentation";
const OWN_FIELDS = 'fields that your records have';
const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A check of something that may not be there. */
const of =
	<T>(subject: (evidence: Evidence) => T | undefined, absent: string, judge: Judge<T>): Check =>
	(evidence, assumption) => {
		const found = subject(evidence);
		return found === undefined ? unseen(absent) : judge(found, evidence, assumption);
	};

const ofAnswer = (name: string, judge: Judge<Answer>) =>
	of(({ answers }) => answers[name], 'no response', judge);

const ofRecords = (noun: Noun, judge: Judge<JsonObject[]>) =>
	of(({ records: { [noun]: all } }) => all[0] && all, `no ${noun}s`, judge);

const ofEach = (noun: Noun, holds: (record: JsonObject) => boolean, to?: string) =>
	ofRecords(noun, (all) => {
		const count = all.filter(holds).length;
		if (count === all.length) return assumed(counted(count, noun));
		return otherwise(`${count} of ${counted(all.length, noun)}`, to);
	});

const list = (noun: Noun) =>
	ofAnswer(`list ${noun}`, (answer) => {
		const names = ['current_page', 'per_page', 'total'];
		const missing = names.filter((name) => !Number.isInteger(metaOf(answer)[name]));
		if (!Array.isArray(Object(answer.body).data)) return otherwise(`${noun}s: no list in data`);
		if (missing.length === 0) return assumed(`${noun}s`);
		return otherwise(`${noun}s: no ${missing.length < 3 ? missing.join(', ') : 'meta'}`);
	});

const one = (name: string) =>
	ofAnswer(name, ({ body }) =>
		either(isRecord(Object(body).data), 'an object', 'no object in data'),
	);

const refusal = (expected: number) =>
	ofAnswer(`status ${expected}`, ({ status }) => {
		// It is no error to ignore what one does not understand.
		if (expected === 422 && status < 300) return unseen('it is ignored');
		if (status === 429 || status >= 500) return unseen(`another reason (${status})`);
		return either(status === expected, `${status}`, `${status}`);
	});

const limited = (isSo: (answer: Answer) => boolean, seen: string, other: string) =>
	of(
		({ all }) => all.find(({ status, headers }) => status === 429 || headers['retry-after']),
		'no limit was reached',
		(answer) => either(isSo(answer), seen, other),
	);

/**
 * Whether records have the fields of dev/sandbox/openapi.yaml, but for those with a check of their own.
 *
 * @param isLost whether the option has to be set to make up for it
 */
const fields = (
	noun: Noun,
	isLost: (record: JsonObject) => boolean = () => false,
	to = OWN_FIELDS,
) =>
	ofRecords(noun, (all, _, { part }) => {
		const { properties, required } = part as Record<string, JsonObject> & { required: string[] };
		const isWanted = (name: string) => !('x-check' in Object(properties[name]));
		const missing = required.filter(isWanted).filter((name) => !all.every((one) => name in one));
		if (missing.length === 0) return assumed(counted(all.length, noun));
		return otherwise(`no ${missing.join(', no ')}`, isLost(all[0]) ? to : undefined);
	});

const limitHeader =
	(name: string, isForm = (value: number) => value >= 0): Check =>
	({ all }) => {
		const headers = Object.assign({}, ...all.map((answer) => answer.headers)) as JsonObject;
		const limits = Object.keys(headers).filter((header) => /rate-?limit/.test(header));
		if (limits.length === 0) return unseen('no response named a limit');
		if (!(name in headers)) return otherwise(`${limits.join(', ')} instead`);
		return either(isForm(Number(headers[name])), 'a number', 'another number');
	};

/** A check of what became of the keyword, where it was sent and not refused because of the scope. */
const written =
	(judge: (keyword: Keyword, created: Answer) => Finding): Check =>
	({ keyword }) => {
		const { created } = keyword ?? {};
		if (!keyword) return unseen('needs --write');
		if (!created) return unseen('the keywords there are unreadable');
		return created.status === 403 ? unseen('the key has the scope read') : judge(keyword, created);
	};

/** By their names in dev/sandbox/openapi.yaml (`x-check`). */
export const CHECKS: Record<string, Check> = {
	'list location': list('location'),
	'list keyword': list('keyword'),
	'list scan': list('scan'),
	'list post': list('post'),
	'one location': one('one location'),
	'one insight': one('one insight'),
	page: ({ page, isFromOne }) => {
		if (page === undefined) return unseen('all locations are on one page');
		if (!page) return otherwise('ignored', OWN_NAME);
		return isFromOne ? assumed('page 2 differs from page 1') : otherwise('counted from 0');
	},
	'page size': ({ pageSize, answers }, { options: [, option] }) => {
		const locations = answers['list location'];
		const got = recordsOf(answers['page size']).length;
		if (recordsOf(locations).length < 2) return unseen('fewer than two locations');
		const orNone = `${OWN_NAME}, or leave ${option} at 0`;
		if (pageSize === undefined) return otherwise('ignored', orNone);
		if (pageSize !== 'per_page') return otherwise(`chosen with ${pageSize}`, pageSize);
		if (got >= Math.min(MOST_A_PAGE, totalOf(locations))) return assumed(`1 and ${MOST_A_PAGE}`);
		return { ...otherwise(`${got} at most`, `${got} or less`), option };
	},
	'other parameters': ofAnswer('other parameters', (answer) =>
		either(isDone(answer), 'ignored', `refused (${answer.status})`),
	),
	'status 401': refusal(401),
	'status 404': refusal(404),
	'status 422': refusal(422),
	'status 403': ({ keyword }) => {
		const { status } = keyword?.created ?? {};
		const isRefused = status === 401 || status === 403;
		if (!isRefused) return unseen('needs --write and a key with the scope read');
		return either(status === 403, 'the key has the scope read', '401');
	},
	'status 429': limited(({ status }) => status === 429, '429', 'another status'),
	'retry-after': limited(
		({ headers }) => Number(headers['retry-after']) > 0,
		'so it does',
		'no number there',
	),
	'limit header': limitHeader('x-ratelimit-limit'),
	'remaining header': limitHeader('x-ratelimit-remaining'),
	// As a number of seconds to wait, this is 30 years.
	'reset header': limitHeader('x-ratelimit-reset', (value) => value > 1_000_000_000),
	error: ({ all }) => {
		const refused = all.filter(({ status }) => status >= 400);
		const bodies = refused.map(({ body }) => Object(body) as JsonObject);
		const isByField = refused.every(({ status }, at) => status !== 422 || bodies[at].errors);
		if (refused.length === 0) return unseen('nothing was refused');
		if (!bodies.every(({ message }) => message)) return otherwise('no message');
		return either(isByField, 'so they have', 'no errors');
	},
	'record location': fields('location'),
	'record keyword': fields('keyword', ({ keyword }) => keyword === undefined),
	'record scan': fields('scan'),
	'record post': fields('post', (post) => !('title' in post && 'content' in post)),
	'record insight': fields(
		'insight',
		(insight) => !Object.values(insight).some(Array.isArray),
		'One Row per Location or Raw',
	),
	'keyword IDs': ofEach('keyword', (keyword) => /^kw_/.test(idOf(keyword) ?? '')),
	'created_at keyword': ofEach('keyword', ({ created_at }) => isDate(created_at)),
	publish_at: ofEach('post', (post) => 'publish_at' in post, 'what your posts call it'),
	'created_at post': ofEach('post', ({ created_at }) => isDate(created_at)),
	published: ofRecords('post', (all) => {
		if (all.every(({ status }) => status === undefined)) return otherwise('no status');
		const count = all.filter(({ status }) => status === 'published').length;
		return count > 0
			? assumed(`${count} of ${counted(all.length, 'post')}`)
			: { ...unseen('none is'), to: 'the status of a post that went live' };
	}),
	position: ofEach('scan', ({ position: at }) => at === null || Number.isInteger(at)),
	'scan date': ofEach(
		'scan',
		(scan) => {
			const dates = Object.values(scan).filter(isDate).map(timeOf) as number[];
			return timeOf(scan.scanned_at) === Math.max(...dates);
		},
		'the field with the time at which a scan was over',
	),
	paused: ofRecords('location', (all) => {
		const others = all.map(({ status }) => status).filter((status) => status !== 'active');
		if (others.length === 0) return unseen('all locations are active');
		const isPaused = others.every((status) => status === 'paused');
		return either(isPaused, 'active and paused', 'another status, or none');
	}),
	'no value': ofRecords('location', (all) => {
		const names = ['address', 'city', 'country', 'last_scan_at'];
		const values = all.flatMap((location) => names.map((name) => location[name]));
		const isOther = values.includes(undefined) || values.includes('');
		if (isOther) return otherwise('left out or empty');
		return values.includes(null) ? assumed('null') : unseen('all locations have all of them');
	}),
	'time zones': ({ records }) => {
		const fields = Object.values(records).flat().flatMap(Object.entries) as Array<
			[string, unknown]
		>;
		const times = fields.filter(([name, value]) => /_at$/.test(name) && value !== null);
		const wrong = times.filter(([, value]) => !isZoned(value)).map(([name]) => name);
		if (times.length === 0) return unseen('no times');
		const names = [...new Set(wrong)].join(', ');
		return either(wrong.length === 0, `${times.length} times`, `none in ${names}`);
	},
	keywords_count: ofRecords('keyword', (_, { answers, parent }) => {
		const isSame = parent?.keywords_count === totalOf(answers['list keyword']);
		return either(isSame, 'so it is', 'another number, or none');
	}),
	last_scan_at: ofRecords('scan', (all, { parent }) => {
		const dates = all.flatMap((scan) => Object.values(scan)).filter(isDate);
		const times = dates.map(timeOf) as number[];
		const last = timeOf(parent?.last_scan_at) ?? 0;
		if (times.length === 0) return unseen('no scan has a date');
		if (last < Math.max(...times)) return otherwise('a scan is later');
		return times.includes(last) ? assumed('so it is') : unseen('not all scans were read');
	}),
	created: written((_, { status, body }) => {
		const isBack = isRecord(Object(body).data);
		if (status >= 300) return unseen(`refused (${status})`);
		return either(status === 201 && isBack, '201', `${status}${isBack ? '' : ', no object'}`);
	}),
	'new keyword': written(({ isFound }, answer) => {
		if (answer.status >= 300) return otherwise(`refused (${answer.status})`, OWN_FIELDS);
		return isFound ? assumed('the list shows it') : unseen('the list does not show it');
	}),
	deleted: written(({ deleted, isGone }) => {
		if (!deleted) return unseen('there was nothing to delete');
		const seen = `${deleted.status}, and the keyword is ${isGone ? 'gone' : 'still there'}`;
		return either(deleted.status === 204 && isGone, seen, seen);
	}),
};
