import { FAULT_CODES, faultOf } from '../../nodes/LocalSeo/client/exchange/faults';
import {
	type Outcome,
	RULES,
	ruleFor,
	stepFor,
} from '../../nodes/LocalSeo/client/exchange/retryRules';

const answer = (status: number, headers = {}): Outcome => ({ status, headers, body: '' });
const fault = (code: string): Outcome => {
	const cause = Object.assign(new Error(code), { code });
	return { fault: faultOf(cause), cause };
};

test.each([
	['429', answer(429), 'repeat', 'repeat', 'repeat'],
	['429 with a wait', answer(429, { 'retry-after': '1' }), 'repeat', 'repeat', 'repeat'],
	['403 with a wait', answer(403, { 'retry-after': '1' }), 'repeat', 'repeat', 'repeat'],
	['503 with a wait', answer(503, { 'retry-after': '1' }), 'repeat', 'repeat', 'look'],
	['503', answer(503), 'repeat', 'repeat', 'look'],
	['408', answer(408), 'repeat', 'repeat', 'look'],
	['500', answer(500), 'repeat', 'repeat', 'look'],
	['502', answer(502), 'repeat', 'repeat', 'look'],
	['504', answer(504), 'repeat', 'repeat', 'look'],
	['524', answer(524), 'repeat', 'repeat', 'look'],
	['202', answer(202), 'repeat', 'fail', 'fail'],
	['501', answer(501), 'fail', 'fail', 'look'],
	['302', answer(302), 'fail', 'fail', 'fail'],
	['303', answer(303), 'fail', 'fail', 'look'],
	['400', answer(400), 'fail', 'fail', 'fail'],
	['401', answer(401), 'fail', 'fail', 'fail'],
	['403', answer(403), 'fail', 'fail', 'fail'],
	['404', answer(404), 'fail', 'fail', 'fail'],
	['409', answer(409), 'fail', 'fail', 'fail'],
	['422', answer(422), 'fail', 'fail', 'fail'],
	['a refused connection', fault('ECONNREFUSED'), 'repeat', 'repeat', 'repeat'],
	['an unknown name', fault('ENOTFOUND'), 'repeat', 'repeat', 'repeat'],
	['a name server that fails', fault('EAI_AGAIN'), 'repeat', 'repeat', 'repeat'],
	['a timeout', fault('ECONNABORTED'), 'repeat', 'repeat', 'look'],
	['a reset connection', fault('ECONNRESET'), 'repeat', 'repeat', 'look'],
	['a cut answer', fault('ERR_BAD_RESPONSE'), 'repeat', 'repeat', 'look'],
	['a bad certificate', fault('CERT_HAS_EXPIRED'), 'fail', 'fail', 'fail'],
	['a malformed response', fault('HPE_INVALID_CHUNK_SIZE'), 'repeat', 'repeat', 'look'],
	['a stopped execution', fault('ERR_CANCELED'), 'fail', 'fail', 'look'],
	['what has no code', fault(''), 'fail', 'fail', 'fail'],
])('%s: get %s, change %s, create %s', (_, outcome, read, change, create) => {
	const rule = ruleFor(outcome);
	expect(stepFor('GET', rule)).toBe(read);
	expect(stepFor('PATCH', rule)).toBe(change);
	expect(stepFor('DELETE', rule)).toBe(change);
	expect(stepFor('POST', rule)).toBe(create);
});

test('a connection that died while it was used may have carried the request', () => {
	const cause = Object.assign(new Error(), { code: 'EHOSTUNREACH', syscall: 'read' });
	expect(faultOf(cause)).toBe('connection-lost');
	expect(faultOf(Object.assign(cause, { syscall: 'connect' }))).toBe('unreachable');
});

test('nothing is created a second time unseen: only what the service can not have acted on is repeated', () => {
	const repeated = RULES.filter(({ create }) => create === 'repeat').map(({ outcome }) => outcome);
	expect(repeated).toEqual(['429', 'no connection']);
});

test('every row has a reason, and every code of a fault has one meaning', () => {
	for (const { because } of RULES) expect(because).toMatch(/\w{3}/);
	const codes = Object.values(FAULT_CODES).flat();
	expect(codes).toEqual([...new Set(codes)]);
});
