import type { JsonObject } from '../../nodes/LocalSeo/client';
import { HOUR, MINUTE, Trigger } from '../support/polledTrigger';

describe('a sample', () => {
	const sampleOf = async (
		events: string[],
		prepare: (trigger: Trigger) => void,
		more: JsonObject = {},
	) => {
		const trigger = new Trigger({ events, ...more });
		trigger.mode = 'manual';
		prepare(trigger);
		const [items = []] = (await trigger.poll()) ?? [];
		return { json: items[0]?.json, all: items.map(({ json }) => json), asked: trigger.asked };
	};

	test('is of the first event that there is a record for, at the location that was scanned last', async () => {
		const { json } = await sampleOf(['postAdded', 'postChanged', 'keywordAdded'], (trigger) => {
			trigger.locations = [
				{ id: 'loc_1', last_scan_at: '2025-12-01T00:00:00Z' },
				{ id: 'loc_2', last_scan_at: '2025-12-03T00:00:00Z' },
			];
			for (const { id } of trigger.locations) {
				trigger.lists[`/locations/${id as string}/keywords`] = [{ id: `kw of ${id as string}` }];
			}
		});
		expect(json).toMatchObject({ event: 'keywordAdded', record: { id: 'kw of loc_2' } });
		expect(json?.sample).toMatch(
			/No record was found for a sample of Content Post Added, Content Post Changed\.$/,
		);
	});

	test('is given of each event, in their order, and each list is read once', async () => {
		const events = ['postPublished', 'locationChanged', 'postChanged', 'keywordAdded', 'postAdded'];
		const { all, asked } = await sampleOf(events, (trigger) => {
			trigger.locations = [{ id: 'loc_1', name: 'Marlow', status: 'active' }];
			trigger.lists['/locations/loc_1/posts'] = [
				{ id: 'post_2', title: 'B', status: 'scheduled', created_at: '2026-11-02T00:00:00Z' },
				{ id: 'post_1', title: 'A', status: 'published', created_at: '2026-11-01T00:00:00Z' },
			];
			trigger.lists['/locations/loc_1/keywords'] = [{ id: 'kw_1', keyword: 'bakery' }];
		});
		expect(all).toMatchObject([
			{ event: 'postPublished', record: { id: 'post_1' }, before: { status: 'scheduled' } },
			{ event: 'locationChanged', record: { id: 'loc_1' }, before: { status: 'paused' } },
			{ event: 'postChanged', record: { id: 'post_2' }, before: { status: 'draft' } },
			{ event: 'keywordAdded', record: { id: 'kw_1' } },
			{ event: 'postAdded', record: { id: 'post_2' } },
		]);
		expect(asked.sort()).toEqual([
			'/locations',
			'/locations/loc_1/keywords',
			'/locations/loc_1/posts',
		]);
	});

	test.each([
		['rankScoreDropped', {}, 68, -5],
		['rankScoreRose', {}, 58, 5],
		['rankScoreChanged', {}, 68, -5],
		['rankScoreChanged', { direction: 'up', minimumChange: 10 }, 53, 10],
	])('%s with %j shows a change that would be reported', async (event, options, before, change) => {
		const { json } = await sampleOf(
			[event],
			(trigger) => (trigger.locations = [{ id: 'loc_1', name: 'Marlow', rank_score: 63 }]),
			{ options },
		);
		expect(json).toMatchObject({ event, change, before: { rank_score: before } });
		expect(json?.record).toHaveProperty('rank_score', 63);
	});

	test('of a changed field shows that field, with another value before', async () => {
		const changeOf = async (record: JsonObject, fieldsToWatch: string) => {
			const prepare = (trigger: Trigger) => (trigger.locations = [{ id: 'loc_1', ...record }]);
			const options = fieldsToWatch === '' ? {} : { fieldsToWatch };
			return (await sampleOf(['locationChanged'], prepare, { options })).json;
		};
		for (const [record, watched, name, before] of [
			[{ name: 'Marlow', status: 'active' }, '', 'status', 'paused'],
			[{ name: 'Marlow' }, '', 'name', 'Marlow (before)'],
			[{ name: 'Marlow', keywords_count: 4 }, 'keywords_count', 'keywords_count', 3],
			[{ name: 'Marlow', is_open: true }, 'is_open', 'is_open', false],
			[{ last_scan_at: '2026-11-01T00:00:00Z' }, '', 'last_scan_at', null],
		] as const) {
			const json = await changeOf(record, watched);
			expect(json).toMatchObject({ changed: [name], before: { [name]: before } });
		}
	});

	test('of a scan is the latest whose position is another than before', async () => {
		const scan = (id: number, position: number) => ({
			id: `scan_${id}`,
			position,
			scanned_at: `2026-11-0${id}T00:00:00Z`,
		});
		const { json } = await sampleOf(['rankScanCompleted'], (trigger) => {
			trigger.lists['/locations/loc_1/keywords'] = [{ id: 'kw_1' }];
			trigger.lists['/keywords/kw_1/scans'] = [scan(4, 3), scan(3, 3), scan(2, 7), scan(1, 7)];
		});
		expect(json).toMatchObject({ record: scan(3, 3), before: scan(2, 7), changed: ['position'] });
	});

	test('of a post that was published is made of a scheduled one where none is published', async () => {
		const { json } = await sampleOf(['postPublished'], (trigger) => {
			trigger.lists['/locations/loc_1/posts'] = [{ id: 'post_1', status: 'scheduled' }];
		});
		expect(json).toMatchObject({
			record: { id: 'post_1', status: 'published' },
			before: { status: 'scheduled' },
			changed: ['status'],
		});
		expect(json?.sample).toMatch(/the values that changed may be made up/);
	});

	test('is not held back by a list that fails after others were read', async () => {
		const { all, asked } = await sampleOf(
			['locationAdded', 'keywordAdded', 'postAdded'],
			(trigger) => {
				trigger.locations = list(3);
				trigger.status = (path) => (path === '/locations' ? 200 : 500);
			},
		);
		expect(all).toMatchObject([{ event: 'locationAdded' }]);
		expect(asked.filter((path) => path.endsWith('posts'))).toEqual([]);
	});

	const nothingOf = async (...given: Parameters<typeof sampleOf>) =>
		await sampleOf(...given).then(
			() => 'a sample',
			({ message, description }: Error & { description: string }) => `${message} | ${description}`,
		);
	const list = (count: number) =>
		Array.from({ length: count }, (_, index): JsonObject => ({ id: `loc_${index}` }));

	test.each([
		[['postAdded'], 'There are no content posts yet'],
		[['postChanged', 'postAdded'], 'There are no content posts yet'],
		[['rankScanCompleted'], 'There are no rank scans yet'],
		[['keywordRemoved', 'rankScanCompleted'], 'There are no keywords or rank scans yet'],
		[['rankScoreDropped', 'rankScoreRose'], 'There are no rank scores yet'],
		[
			['postAdded', 'rankScanCompleted', 'keywordAdded'],
			'There are no content posts, rank scans or keywords yet',
		],
	])('of %j says what there is none of', async (events, message) => {
		for (const count of [0, 1]) {
			const words = await nothingOf(events, (trigger) => (trigger.locations = list(count)));
			expect(words).toMatch(new RegExp(`^${message} \\| `));
			expect(words).toContain('Fetch Test Event');
			expect(words.includes('The account has no locations')).toBe(count === 0);
		}
	});

	test('of an account without locations, too', async () => {
		const words = await nothingOf(['locationAdded'], (trigger) => (trigger.locations = []));
		expect(words).toMatch(/^There are no locations yet \| /);
	});

	test('of a location that can not be read is looked for at the others', async () => {
		const { json } = await sampleOf(['postAdded'], (trigger) => {
			trigger.locations = list(2);
			trigger.lists['/locations/loc_1/posts'] = [{ id: 'post_1' }];
			trigger.status = (path) => (path === '/locations/loc_0/posts' ? 403 : 200);
		});
		expect(json).toMatchObject({ record: { id: 'post_1' } });
		const words = await nothingOf(['postAdded'], (trigger) => {
			trigger.locations = list(2);
			trigger.status = (path) => (path.endsWith('posts') ? 403 : 200);
		});
		expect(words).toMatch(/^This API key is not allowed to get the content posts/);
	});

	test('of many keywords says at how many it has looked', async () => {
		const words = await nothingOf(['rankScanCompleted'], (trigger) => {
			trigger.locations = list(1);
			const keywords = Array.from({ length: 9 }, (_, nth) => ({ id: `kw_${nth}` }));
			trigger.lists['/locations/loc_0/keywords'] = keywords;
		});
		expect(words).toMatch(/^No rank scans were found \| Looked at 5 keywords of each location\./);
	});

	test('is looked for at five locations at most, which is said', async () => {
		let asked = 0;
		const words = await nothingOf(['postAdded'], (trigger) => {
			trigger.locations = list(9);
			trigger.status = () => {
				asked++;
				return 200;
			};
		});
		expect(words).toMatch(/^No content posts were found \| .*at 5 of 9 locations/);
		expect(asked).toBe(6);
	});

	test('of what can not be recognized says why', async () => {
		const noDate = await nothingOf(['rankScanCompleted'], (trigger) => {
			trigger.locations = list(1);
			trigger.lists['/locations/loc_0/keywords'] = [{ id: 'kw_1' }];
			trigger.lists['/keywords/kw_1/scans'] = [{ id: 'scan_1', position: 3 }];
		});
		expect(noDate).toMatch(/^No rank scans were found \| .*Rank scans without a date are left out/);
		const noId = await nothingOf(['postAdded'], (trigger) => {
			trigger.locations = list(1);
			trigger.lists['/locations/loc_0/posts'] = [{ title: 'A' }];
		});
		expect(noId).toMatch(
			/^No content posts were found \| .*Content posts without an ID are left out/,
		);
		const noScore = await nothingOf(
			['rankScoreChanged'],
			(trigger) => (trigger.locations = [{ id: 'loc_1', rank_score: 'good' }]),
		);
		expect(noScore).toMatch(/^No rank scores were found \| .*Rank scores that are not numbers/);
	});

	test('is not waited for longer than a person waits', async () => {
		for (const refuse of [
			(trigger: Trigger) => (trigger.latency = HOUR),
			(trigger: Trigger) => (trigger.status = () => 429),
		]) {
			let clock = new Trigger().clock;
			const words = await nothingOf(['postAdded'], (trigger) => {
				refuse(trigger);
				({ clock } = trigger);
			});
			expect(words).toMatch(/^(The service did not respond in time|Rate limit reached)/);
			expect(clock.now() - new Trigger().clock.now()).toBeLessThan(MINUTE + 20_000);
		}
	});

	test('is never of a location that is not watched', async () => {
		const { json } = await sampleOf(
			['postAdded'],
			(trigger) => {
				trigger.locations = [{ id: 'loc_1', last_scan_at: '2025-12-01' }, { id: 'loc_2' }];
				for (const { id } of trigger.locations) {
					trigger.lists[`/locations/${id as string}/posts`] = [{ id: `post of ${id as string}` }];
				}
			},
			{ locationIds: ['loc_2'] },
		);
		expect(json).toMatchObject({ record: { id: 'post of loc_2' } });
	});
});
