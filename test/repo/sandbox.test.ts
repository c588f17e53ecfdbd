import { readFileSync } from 'node:fs';
import { OpenAPIBackend, type Document } from 'openapi-backend';
import { parse } from 'yaml';

import { startSandbox, type Sandbox } from '../../dev/sandbox';
import { CONTRACT_FILE, withFormats } from '../../dev/sandbox/contract';

// That the sandbox does what the interface says: test/repo, and each of its responses in all other tests.

test('the interface is described in valid OpenAPI 3.1', async () => {
	const definition = parse(readFileSync(CONTRACT_FILE, 'utf8')) as Document;
	expect(definition.openapi).toMatch(/^3\.1/);
	const api = new OpenAPIBackend({ definition, strict: true, customizeAjv: withFormats });
	await expect(api.init()).resolves.toBeDefined();
});

test('the sample data is the same at every start', async () => {
	const now = () => new Date('2026-06-01T08:00:00Z');
	const [one, two] = [await startSandbox({ now }), await startSandbox({ now })];
	const everything = ({ account }: Sandbox) =>
		account.locations.map((location) => [
			location,
			account.keywordsOf(location.id).map(({ id }) => [id, account.scansOf(id)]),
			account.postsOf(location.id),
			account.insightOf(location.id),
		]);
	expect(everything(one)).toEqual(everything(two));
	await one.close();
	await two.close();
});

describe('what a service does by itself', () => {
	let now = Date.parse('2026-06-01T08:00:00Z');
	let sandbox: Sandbox;
	beforeEach(async () => {
		sandbox = await startSandbox({ now: () => new Date(now) });
	});
	afterEach(async () => await sandbox.close());

	const press = async (path: string) =>
		(await fetch(`${sandbox.origin}/sandbox/${path}`, { method: 'POST' })).status;
	const listed = async (id: string) => {
		const headers = { Authorization: `Bearer ${sandbox.keys.read}` };
		const response = await fetch(`${sandbox.baseUrl}/locations/${id}/posts`, { headers });
		return ((await response.json()) as { data: object[] }).data[0];
	};
	const schedule = () =>
		sandbox.account.addPost(sandbox.account.locations[0], {
			...{ title: 'Open on Sunday', content: '8 to 12' },
			publish_at: new Date(now + 60_000).toISOString(),
		});

	test('a scheduled post is published when it is due', async () => {
		const { location_id } = schedule();
		expect(await listed(location_id)).toMatchObject({ status: 'scheduled' });
		now += 60_000;
		expect(await listed(location_id)).toMatchObject({
			status: 'published',
			updated_at: new Date(now).toISOString(),
		});
	});

	test('or at once, if someone says so', async () => {
		const { id, location_id } = schedule();
		expect([await press(`posts/${id}/publish`), await press(`posts/${id}/publish`)]).toEqual([
			204, 404,
		]);
		expect(await listed(location_id)).toMatchObject({ status: 'published' });
	});

	test('a rank score drops, and keywords are scanned', async () => {
		const [location] = sandbox.account.locations;
		const { id, rank_score } = location;
		expect(await press(`locations/${id}/drop-rank`)).toBe(204);
		expect(location.rank_score).toBeLessThanOrEqual(rank_score - 5);
		const keywords = sandbox.account.keywordsOf(id);
		const scans = () => keywords.map((keyword) => sandbox.account.scansOf(keyword.id).length);
		const before = scans();
		now += 60_000;
		expect(await press(`locations/${id}/scan`)).toBe(204);
		expect(scans()).toEqual(before.map((count) => count + 1));
		expect(location.last_scan_at).toBe(new Date(now).toISOString());
		expect(await press('locations/loc_none/scan')).toBe(404);
	});
});
