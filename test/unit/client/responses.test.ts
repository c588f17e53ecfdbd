import { faultOf, type HttpFault, type JsonObject } from '../../../nodes/LocalSeo/client';
import { idOf, isIdentified, recordIn } from '../../../nodes/LocalSeo/client/http/records';
import {
	type HttpOutcome,
	effectOf,
	retryAfter,
} from '../../../nodes/LocalSeo/client/http/outcome';
import { fault } from '../../support/accountTransport';
import { LOSSES, REFUSALS } from '../../support/gatewayPages';

// What a response means: the table of docs/reliability.md.

const address = 'https://seo.example.com/api/v1/locations';
const answer = (status: number, headers: JsonObject = {}, body: unknown = ''): HttpOutcome => ({
	...{ status, headers, body, address },
});
const saying = (...bodies: unknown[]) => bodies.map((body) => answer(200, {}, body));
const statuses = (...all: number[]) => all.map((status) => answer(status));
const faults = (...kinds: Array<HttpFault['fault']>) => kinds.map(fault);
const to = (location: string, ...all: number[]) => all.map((one) => answer(one, { location }));
const here = `${address}/`;
type Meaning = ReturnType<typeof effectOf>;

const DENIALS = [
	false,
	...[undefined, [], null, {}, { message: 'Title too long' }, [{ id: 'a' }, { id: 'b' }]].map(
		(data) => ({ success: false, data, message: 'No' }),
	),
	...[{ ok: false }, { status: 'fail', data: { title: 'No' } }, { status: 'error', data: [] }],
	...[{ error: 'No' }, { error: { message: 'No' }, data: null }, { error: 'No', id: 'post_1' }],
	...[{ errors: ['No'] }, { errors: { title: ['No'] }, data: [] }, { errors: 'No', data: 'No' }],
];
/** The same, beside the ID of a record: a create has made it. */
const DENIALS_WITH_ID = [
	...[{ id: 'post_1' }, { id: 7, message: 'No' }, [{ id: 'post_1' }]].flatMap((data) => [
		...[
			{ success: false, data },
			{ ok: false, data },
			{ status: 'error', data },
		],
		...[
			{ error: 'No', data },
			{ errors: ['No'], data },
		],
	]),
];
/** Bodies that report no failure. */
const OTHERS = [
	...[{}, { data: null }, { message: 'Scheduled maintenance' }, { success: true, data: [] }],
	...[null, ''].map((error) => ({ error, errors: [], data: [] })),
	...[{ ok: true, status: 'success', data: [] }, { status: 'failed' }, { success: null }],
	{ data: { id: 'post_1', status: 'failed', errors: ['No'], error: 'No', code: 45012 } },
	{ data: { success: false, ok: false, status: 'error' } },
	...['No', null, ['No'], true, 0],
];

test.each<[string, HttpOutcome[], read: Meaning, change: Meaning, create: Meaning]>([
	['2xx', statuses(200, 201, 202, 204, 299), 'done', 'done', 'done'],
	['2xx that reports no failure', saying(...OTHERS), 'done', 'done', 'done'],
	['2xx that reports one', saying(...DENIALS), 'refused', 'refused', 'refused'],
	['2xx that reports one and has an ID', saying(...DENIALS_WITH_ID), 'refused', 'refused', 'done'],
	['a web page, JSON cut off', saying(' <html>', '{"data":{', '[1'), 'lost', 'lost', 'lost'],
	['a rate limit', statuses(429, 425), 'repeat', 'repeat', 'repeat'],
	['403 that says when', [answer(403, { 'retry-after': '1' })], 'repeat', 'repeat', 'repeat'],
	['a refusal of a gateway', Object.values(REFUSALS), 'repeat', 'repeat', 'repeat'],
	['any other fault of a gateway', Object.values(LOSSES), 'lost', 'lost', 'lost'],
	['no connection', faults('unreachable', 'unknown-host'), 'repeat', 'repeat', 'repeat'],
	['no secure connection', faults('insecure'), 'repeat', 'repeat', 'repeat'],
	["a gateway's no connection", statuses(521, 523, 525, 526), 'repeat', 'repeat', 'repeat'],
	['a lost response', faults('timeout', 'connection-lost'), 'lost', 'lost', 'lost'],
	['a mistake of ours', faults('other'), 'lost', 'lost', 'lost'],
	['408, 5xx', statuses(408, 500, 502, 503, 504, 507, 520, 522, 599), 'lost', 'lost', 'lost'],
	['501, 505', statuses(501, 505), 'refused', 'refused', 'refused'],
	['a stopped execution', faults('cancelled'), 'lost', 'lost', 'lost'],
	['a rule of the host', faults('refused-here'), 'refused', 'refused', 'refused'],
	['a redirect', to(here, 301, 302, 303, 307, 308), 'refused', 'refused', 'refused'],
	['a redirect without an address', statuses(301, 303, 307), 'refused', 'refused', 'refused'],
	['4xx', statuses(400, 401, 403, 404, 405, 409, 410, 413, 422), 'refused', 'refused', 'refused'],
])('%s: a get is %3$s, an update or deletion %4$s, a create %5$s', (_, outcomes, ...meanings) => {
	for (const outcome of outcomes) {
		const methods = ['GET', 'PATCH', 'DELETE', 'POST'] as const;
		const taken = methods.map((one) => effectOf(one, outcome));
		const [read, change, create] = meanings;
		expect([outcome, taken]).toEqual([outcome, [read, change, change, create]]);
	}
});

const NOW = Date.parse('2026-01-05T08:00:00Z');
const YEAR = 365 * 86_400;
const dateIn = (ms: number) => new Date(NOW + ms).toUTCString();

test.each<[wait: unknown, ms: number | undefined]>([
	[' 7 ', 7_000],
	[7, 7_000],
	['0.25', 250],
	['0', 0],
	[dateIn(9_000), 9_000],
	[`${YEAR - 1}`, (YEAR - 1) * 1_000],
	...[undefined, `${YEAR + 1}`, '-5', dateIn(-9_000), 'soon', '7s', true].map(
		(wait): [unknown, undefined] => [wait, undefined],
	),
])('Retry-After: %p is a wait of %p ms, by the clock of the service', (wait, ms) => {
	expect(retryAfter({ date: dateIn(0), 'retry-after': wait }, 0)).toBe(ms);
	expect(retryAfter({ 'retry-after': wait }, NOW)).toBe(ms);
});

const CERTIFICATES =
	'CERT_HAS_EXPIRED CERT_NOT_YET_VALID DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID ' +
	'HOSTNAME_MISMATCH SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE INVALID_CA';
const LATER = 'ECONNRESET EPROTO ERR_SSL_WRONG_VERSION_NUMBER HPE_INVALID_CHUNK_SIZE Z_DATA_ERROR';
test.each<[ReturnType<typeof faultOf>, syscall: string | undefined, codes: string]>([
	['insecure', undefined, CERTIFICATES],
	['unreachable', undefined, 'ECONNREFUSED'],
	['unreachable', 'connect', 'EHOSTUNREACH ETIMEDOUT EPERM'],
	['unknown-host', undefined, 'ENOTFOUND'],
	['unknown-host', 'getaddrinfo', 'EAI_FAIL'],
	// The service may have acted.
	['connection-lost', undefined, LATER],
	['connection-lost', 'write', 'EHOSTUNREACH ETIMEDOUT EPROTO'],
	['timeout', undefined, 'ECONNABORTED ETIMEDOUT'],
	['other', undefined, ''],
])('%s, at the call %s: %s; the text says nothing', (kind, syscall, codes) => {
	for (const code of codes.split(' ')) {
		for (const text of ['self-signed certificate', 'connect ECONNREFUSED', 'timeout of 600ms']) {
			const error = Object.assign(new Error(text), { code, syscall });
			expect([code, faultOf(error)]).toEqual([code, kind]);
		}
	}
});

test('an ID is a text, or a whole number that JavaScript can keep: others would be shared', () => {
	const ids = ['a', '9223372036854775231', 0, 2 ** 53 - 1];
	expect(ids.map((id) => idOf({ id }))).toEqual(ids.map(String));
	expect(ids.every((id) => isIdentified({ id }))).toBe(true);
	const others = ['', null, { key: 1 }, 2 ** 53 + 1, 1.5, -0.1, NaN, Infinity, undefined];
	expect(others.map((id) => idOf({ id }))).toEqual(others.map(() => undefined));
	expect(['a', null, ...others.map((id) => ({ id }))].some(isIdentified)).toBe(false);
});

test('the record in data may be the only entry of a list; anything else shows none', () => {
	const shown = (data: unknown) => recordIn({ status: 201, headers: {}, body: { data } });
	const record = { id: 'post_1' };
	expect([record, [record]].map(shown)).toEqual([record, record]);
	const others = [null, {}, [], [{}], [record, record], 'post_1', 7];
	expect(others.map(shown)).toEqual(others.map(() => undefined));
	const bare = [record, ''].map((body) => recordIn({ status: 201, headers: {}, body }));
	expect(bare).toEqual([undefined, undefined]);
});
