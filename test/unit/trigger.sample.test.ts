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
		const [[item] = []] = (await trigger.poll()) ?? [];
		return { json: item?.json, asked: trigger.asked };
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
