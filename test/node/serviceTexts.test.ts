import { type INode, type INodeParameters, NodeApiError } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { byId, columns, goOn, useSandbox } from '../support/fixture';
import { createPosts, sheetOf } from '../support/sheet';
import { useShortWatch } from '../support/shortWatch';

// What a service says is shown as text, without the key, and never run. The words: unit/errors.

useShortWatch();
const service = useSandbox({ locations: 3 });
const { run } = service;
const { listSearch, resourceMapping } = new LocalSeo().methods;

/** What n8n learns of the reason why a request failed: older versions have no word for it. */
const NODE = { name: '', type: '', parameters: {} } as unknown as INode;
const isTold = 'failure' in new NodeApiError(NODE, {}, { failure: { cause: 'x' } } as object);
const failure = (facts: object) => (isTold ? { failure: facts } : {});

/** What is refused for good is said at once. */
const options = { maxWait: 0 };
const list = { resource: 'location', operation: 'getAll', options };
const create = () => ({
	...{ resource: 'post', operation: 'create', options },
	locationId: byId(service.sandbox.account.locations[0].id),
	fields: columns({ title: 'Open on Sunday', content: 'From 8 to 12.' }),
});
const respond = (status: number, body: unknown, headers?: Record<string, string>, when = {}) => {
	service.sandbox.faults.clear();
	service.sandbox.faults.add({ when, response: { status, body, headers } });
};
/** The list is read before a post is sent. */
const respondToPosts = (status: number, body: unknown, headers?: Record<string, string>) =>
	respond(status, body, headers, { method: 'POST' });

test('newer versions of n8n learn the cause, and how long the service asks to wait', async () => {
	const credential = { baseUrl: service.sandbox.baseUrl, apiKey: 'sk_wrong' };
	const wrong = await run(list, { credential });
	expect(wrong.error).toMatchObject({
		httpCode: '401',
		...failure({ cause: 'credential-invalid' }),
	});
	respondToPosts(503, { message: 'Busy' });
	const { error } = await run({ ...create(), ifExists: 'create' });
	expect(error).toMatchObject(failure({ cause: 'temporarily-unavailable' }));
	respond(429, { message: 'Slow down' }, { 'retry-after': '7' });
	const limited = await run(list);
	expect(limited.error).toMatchObject(failure({ cause: 'rate-limited', retryAfterMs: 7000 }));
});

const HOSTILE =
	'\u001bred\u009b \u0007<img src=x onerror=alert(1)> <a href="https://evil.example">`Sign in`</a>\u2028next\u202Etxet\u2066\u0000 &lt;b&gt;\r\nlog: ok';
const CONTROL = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;

describe('hostile texts', () => {
	/** The words of a failure, in a workflow and as a tool; they have to be the same. */
	const wordsOf = async (parameters: INodeParameters) => {
		const errors = [];
		for (const isRoutedByHost of [false, true]) {
			const { error } = await run(parameters, { isRoutedByHost });
			errors.push({ message: error!.message, description: String(error!.description) });
		}
		expect(errors[1]).toEqual(errors[0]);
		expect(Object.values(errors[0]).join()).not.toMatch(CONTROL);
		return errors[0];
	};

	test('are HTML to n8n in a description, and escaped there', async () => {
		respondToPosts(422, { message: HOSTILE, errors: { title: [`${HOSTILE}!`] } });
		const { message, description } = await wordsOf(create());
		expect(description).toContain(
			'"red &#60;img src=x onerror=alert(1)&#62; &#60;a href="https://evil.example"&#62;&#96;Sign in&#96;&#60;/a&#62; nexttxet &#38;lt;b&#38;gt; log: ok"',
		);
		expect(message).toContain('(title: red ‹img src=x onerror=alert(1)› ‹a ');
		respond(200, `${HOSTILE} page`);
		expect(Object.values(await wordsOf(list)).join()).not.toMatch(/[<>`]/);
	});

	test('are so in a hint, and where created records are named', async () => {
		respondToPosts(422, { message: 'No', errors: { title: [HOSTILE] } });
		const { hints } = await run(create(), { rows: [{}, {}], ...goOn });
		expect(hints.join()).toContain('&#38;lt;b&#38;gt; log: ok');
		expect(hints.join()).not.toMatch(CONTROL);
		expect(hints.join()).not.toMatch(/[<>]/);
	});

	test('are text in the title of a row where the node stops', async () => {
		respondToPosts(422, { message: 'No' });
		const rows = sheetOf(service.sandbox, 2).map((row) => ({ ...row, title: HOSTILE }));
		const { error } = await run(createPosts, { rows });
		expect(`${error?.message} ${error?.description}`).not.toMatch(/[<>]/);
		expect(error?.message).toContain('‹');
	});

	test('are data in items, and left readable', async () => {
		respondToPosts(422, { message: 'Use <b>bold</b> & `code`\u001b' });
		const { json } = await run(create(), goOn);
		const description = expect.stringContaining('"Use <b>bold</b> & `code`"');
		expect(json[0].error).toMatchObject({ description });
		service.sandbox.faults.clear();
		const data = [{ id: 'loc_1', name: `<b>Café</b>${HOSTILE}` }];
		respond(200, { data, meta: { total: 1 } });
		expect((await run(list)).json[0].name).toBe(`<b>Café</b>${HOSTILE}`);
	});

	test('are text in the editor: a label, a column, a description', async () => {
		const search = async () => await listSearch.searchLocations.call(service.editor(list));
		respond(422, { message: 'Use <b>\u001b' });
		const description = expect.stringContaining('"Use <b>"');
		await expect(search()).rejects.toMatchObject({ description });
		respond(200, { data: [{ id: 'loc_1', name: `A${HOSTILE}`, [HOSTILE]: 1 }] });
		const { results } = await search();
		expect(results).toEqual([{ name: expect.stringMatching(/^Ared <img/), value: 'loc_1' }]);
		const context = service.editor({ ...list, operation: 'create' });
		const { fields } = await resourceMapping.getFields.call(context);
		const column = fields.find(({ id }) => id === HOSTILE);
		expect([results[0].name, column?.displayName].join()).not.toMatch(CONTROL);
	});
});

test('the key is nowhere but in its header, whatever the service repeats', async () => {
	/** All that n8n keeps of an execution, errors with all their properties included. */
	const everything = (value: unknown): string => {
		const seen = new Set<unknown>();
		return JSON.stringify(value, (_, inner: unknown) => {
			if (typeof inner !== 'object' || inner === null) return inner;
			if (seen.has(inner)) return undefined;
			seen.add(inner);
			if (!(inner instanceof Error)) return inner;
			const names = Object.getOwnPropertyNames(inner);
			return Object.fromEntries(names.map((name) => [name, Reflect.get(inner, name)]));
		});
	};
	const key = service.sandbox.keys.write;
	const leak = `Bearer ${key}, or "${key}"`;
	const record = { id: 'loc_1', name: `Café ${leak}`, status: leak, [leak]: [[{ a: leak }]] };
	const headers = { 'x-debug': `Bearer ${key}`, location: `https://evil.example/${key}` };
	const found: unknown[] = [];
	for (const isRoutedByHost of [false, true]) {
		for (const [status, body] of [
			[200, { data: [record], meta: { note: leak } }],
			[200, `<title>${leak}</title>`],
			[200, { success: false, errors: { [leak]: leak } }],
			[302, ''],
			[422, { message: leak, errors: { [leak]: [`${leak}!`] } }],
			[500, { error: { message: leak } }],
		] as Array<[number, unknown]>) {
			for (const [parameters, answer] of [
				[list, respond],
				[create(), respond],
				[create(), respondToPosts],
			] as const) {
				answer(status, body, headers);
				const { run: all, error, hints } = await run(parameters, { isRoutedByHost });
				found.push(all, error, error?.cause, hints);
			}
		}
	}
	const credential = { baseUrl: 'https://127.0.0.1:9', apiKey: key };
	const { run: broken, error } = await run(list, { credential });
	expect(error).toBeDefined();
	const text = [...found, broken, error, error?.cause].map(everything).join('\n');
	expect(text.length).toBeGreaterThan(10_000);
	expect(text).not.toContain(key);
});
