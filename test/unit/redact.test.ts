import { withoutKey } from '../../nodes/LocalSeo/client/exchange/redact';

const key = 'sk_"1';

test('the key is removed from the text of a response, also where it stands in JSON', () => {
	const body = `<p>${key}</p><script>${JSON.stringify({ key })}</script>`;
	const { body: shown } = withoutKey({ status: 200, headers: {}, body }, key);
	expect(shown).toBe('<p>…</p><script>{"key":"…"}</script>');
});

test('the key is removed from all of a rejection, names and headers included', () => {
	const response = {
		status: 401,
		headers: { 'www-authenticate': `Bearer ${key}` },
		body: { errors: { [key]: [`Unknown key ${key}`] } },
	};
	expect(withoutKey(response, key)).toEqual({
		status: 401,
		headers: { 'www-authenticate': 'Bearer …' },
		body: { errors: { '…': ['Unknown key …'] } },
	});
});

test('records are left as they are: they are the user’s own data', () => {
	const response = { status: 200, headers: {}, body: { data: [{ title: key }] } };
	expect(withoutKey(response, key)).toEqual(response);
});

test('a rejection without a body has none afterwards', () => {
	const { body } = withoutKey({ status: 500, headers: {}, body: undefined }, key);
	expect(body).toBeNull();
});

test('an empty key leaves everything as it is', () => {
	const response = { status: 400, headers: {}, body: { message: 'No key' } };
	expect(withoutKey(response, '')).toEqual(response);
});
