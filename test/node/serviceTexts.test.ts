import type { INodeParameters } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { byId, columns, useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';

useShortWatch();
const service = useSandbox({ locations: 3 });
const { listSearch, resourceMapping } = new LocalSeo().methods;

const options = { maxWait: 0 };
const list = { resource: 'location', operation: 'getAll', options };
const create = () => ({
	resource: 'post',
	operation: 'create',
	options,
	locationId: byId(service.sandbox.account.locations[0].id),
	fields: columns({ title: 'Open on Sunday', content: 'From 8 to 12.' }),
});
const respond = (status: number, body: unknown, headers?: Record<string, string>) =>
	service.sandbox.faults.add({ response: { status, body, headers } });
/** The list is read before a post is sent. */
const respondToPosts = (status: number, body: unknown, headers?: Record<string, string>) =>
	service.sandbox.faults.add({ when: { method: 'POST' }, response: { status, body, headers } });

interface Words {
	message: string;
	description: string;
}
/** The words of a failure, in a workflow and as a tool; they have to be the same. */
async function wordsOf(parameters: INodeParameters): Promise<Words> {
	const [inWorkflow, asTool] = [
		await service.run(parameters),
		await service.run(parameters, { isRoutedByHost: true }),
	].map(({ error }) => ({ message: error?.message, description: error?.description }) as Words);
	expect(asTool).toEqual(inWorkflow);
	return inWorkflow;
}

const HOSTILE =
	'\u001bred\u009b \u0007<img src=x onerror=alert(1)> <a href="https://evil.example">`Sign in`</a>\u2028next\u202Etxet\u2066\u0000 &lt;b&gt;\r\nlog: ok';

const CONTROL = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;

describe('what the service says about a rejection', () => {
	test('is HTML to n8n in a description, and escaped there', async () => {
		// Not the same: what is said of a field is not said again in the description.
		respondToPosts(422, { message: HOSTILE, errors: { title: [`${HOSTILE}!`] } });
		const { message, description } = await wordsOf(create());
		expect(description).toContain(
			'"red &#60;img src=x onerror=alert(1)&#62; &#60;a href="https://evil.example"&#62;&#96;Sign in&#96;&#60;/a&#62; nexttxet &#38;lt;b&#38;gt; log: ok"',
		);
		expect(message).toContain('(title: red ‹img src=x onerror=alert(1)› ‹a ');
	});

	test.each([
		['a rejection', 409],
		['a page', 200],
	])('leaves no control characters: %s', async (_, status) => {
		respond(status, status === 200 ? `${HOSTILE} page` : { message: HOSTILE });
		const { message, description } = await wordsOf(list);
		expect(message + description).not.toMatch(CONTROL);
		expect(message + description).not.toMatch(/[<>`]/);
	});

	test('is data in the item of a row that failed, and left readable', async () => {
		respondToPosts(422, { message: 'Use <b>bold</b> & `code`\u001b' });
		const settings = { onError: 'continueRegularOutput' as const };
		const { json } = await service.run(create(), { settings });
		expect(json[0].error).toMatchObject({
			description: expect.stringContaining('"Use <b>bold</b> & `code`"'),
		});
	});
});

test('a hint is HTML to n8n, and escaped; items are the data of the user', async () => {
	respondToPosts(422, { message: 'No', errors: { title: [HOSTILE] } });
	const settings = { onError: 'continueRegularOutput' as const };
	const { hints } = await service.run(create(), { rows: [{}, {}], settings });
	expect(hints.join()).toContain('&#38;lt;b&#38;gt; log: ok');
	expect(hints.join()).not.toMatch(CONTROL);
	expect(hints.join()).not.toMatch(/[<>]/);
	service.sandbox.faults.clear();
	respond(200, { data: [{ id: 'loc_1', name: `<b>Café</b>${HOSTILE}` }] });
	const { json } = await service.run(list);
	expect(json[0].name).toBe(`<b>Café</b>${HOSTILE}`);
});

describe('in the editor', () => {
	const record = { id: 'loc_1', name: `A${HOSTILE}`, url: 'javascript:alert(1)', [HOSTILE]: 1 };

	test('a list shows names as text, and has no links', async () => {
		respond(200, { data: [record] });
		const { results } = await listSearch.searchLocations.call(service.editor(list));
		expect(results).toEqual([{ name: expect.stringMatching(/^Ared <img/), value: 'loc_1' }]);
		expect(results[0].name).not.toMatch(CONTROL);
	});

	test('columns show names as text, and send them as they are', async () => {
		respond(200, { data: [record] });
		const context = service.editor({ ...list, operation: 'create' });
		const { fields } = await resourceMapping.getFields.call(context);
		const column = fields.find(({ id }) => id === HOSTILE);
		expect(column?.displayName).not.toMatch(CONTROL);
	});

	test('a description is text there', async () => {
		respond(422, { message: 'Use <b>\u001b' });
		const sent = listSearch.searchLocations.call(service.editor(list));
		await expect(sent).rejects.toMatchObject({
			description: expect.stringContaining('"Use <b>"'),
		});
	});
});

describe('the key is nowhere but in its header', () => {
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

	test('whatever the service repeats', async () => {
		const key = service.sandbox.keys.write;
		// Also with characters between its letters that are taken out before a text is shown.
		const leak = `Bearer ${key} ${[...key].join('\u200e')} ${[...key].join('\u0007\u202e')}`;
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
					service.sandbox.faults.clear();
					answer(status, body, headers);
					const { run, error, hints } = await service.run(parameters, { isRoutedByHost });
					found.push(run, error, error?.cause, hints);
				}
			}
		}
		const text = found.map(everything).join('\n');
		expect(text.length).toBeGreaterThan(10_000);
		expect(text.replace(/[\p{Cc}\p{Cf}]|\\u[\da-f]{4}/gu, '')).not.toContain(key);
	});

	test('also where a connection breaks', async () => {
		const credential = { baseUrl: 'https://127.0.0.1:9', apiKey: 'sk_live_0123456789' };
		const { run, error } = await service.run(list, { credential });
		expect(error).toBeDefined();
		expect(everything([run, error, error?.cause])).not.toContain(credential.apiKey);
	});
});
