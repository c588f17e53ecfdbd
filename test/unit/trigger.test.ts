import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { JsonObject } from '../../nodes/LocalSeo/client';
import { triggerParameters } from '../../nodes/LocalSeo/trigger/parameters';
import { MINUTE, outcomeOf, Trigger } from '../support/polledTrigger';
import { EVENTS } from '../support/trigger';

/** A trigger whose first poll has learned what is there. */
async function learned(parameters: JsonObject, prepare: (trigger: Trigger) => void = () => {}) {
	const trigger = new Trigger(parameters);
	prepare(trigger);
	expect(await trigger.reported()).toEqual([]);
	return trigger;
}

/** A location with one keyword, which has these scans. */
const scanned =
	(...scans: JsonObject[]) =>
	(trigger: Trigger) => {
		const [latest] = scans;
		const last_scan_at = latest?.scanned_at ?? null;
		trigger.locations = [{ id: 'loc_1', name: 'Marlow', keywords_count: 1, last_scan_at }];
		trigger.lists['/locations/loc_1/keywords'] = [{ id: 'kw_1', keyword: 'dentist' }];
		trigger.lists['/keywords/kw_1/scans'] = scans;
	};

const scan = (id: string, at: string, position: number, more: JsonObject = {}) => ({
	id,
	scanned_at: `2025-11-${at}:00Z`,
	position,
	...more,
});

describe('what came before a scan', () => {
	const old = [
		scan('m1', '20T09:05', 9, { device: 'mobile' }),
		scan('d1', '20T09:00', 3, { device: 'desktop' }),
	];
	const fresh = [
		scan('m2', '21T09:05', 9, { device: 'mobile' }),
		scan('d2', '21T09:00', 3, { device: 'desktop' }),
	];
	const befores = async (options: JsonObject) => {
		const trigger = await learned({ events: ['rankScanCompleted'], options }, scanned(...old));
		scanned(...fresh, ...old)(trigger);
		return (await trigger.items()).map(({ record, before, changed }) => [
			(record as JsonObject).id,
			(before as JsonObject).id,
			changed,
		]);
	};

	test('is the last earlier scan of the same device', async () => {
		expect(await befores({})).toEqual([
			['d2', 'd1', []],
			['m2', 'm1', []],
		]);
	});

	test("is the last earlier one with the same values in 'Compare Scans By'", async () => {
		expect(await befores({ compareScansBy: '' })).toEqual([
			['d2', 'm1', ['position', 'device']],
			['m2', 'd2', ['position', 'device']],
		]);
		expect(await befores({ compareScansBy: 'device, engine' })).toEqual([
			['d2', 'd1', []],
			['m2', 'm1', []],
		]);
	});
});

describe('what a poll costs', () => {
	test('a keyword whose scans are refused waits for its turn, and is named once', async () => {
		const trigger = await learned({ events: ['rankScanCompleted'] }, (one) => {
			scanned(scan('a', '20T09:00', 3))(one);
			one.status = (path) => (path === '/keywords/kw_1/scans' ? 404 : 200);
			one.lists['/locations/loc_1/keywords'].push({ id: 'kw_2', keyword: 'braces' });
		});
		let tries = 0;
		for (let polls = 2; polls <= 25; polls++) {
			await trigger.poll();
			if (trigger.asked.length > 1) tries++;
		}
		expect(tries).toBe(2);
		expect(trigger.warnings.filter((line) => line.includes('kw_1'))).toHaveLength(1);
		trigger.status = () => 200;
		for (let polls = 26; polls <= 37; polls++) await trigger.poll();
		scanned(scan('b', '21T09:00', 4), scan('a', '20T09:00', 3))(trigger);
		expect(await trigger.reported()).toEqual(['rankScanCompleted b']);
	});

	test('a list that is refused is named once and waits for its turn; other lists go on', async () => {
		const trigger = await learned({ events: ['postAdded', 'keywordAdded'] }, (one) => {
			scanned()(one);
			one.lists['/locations/loc_1/posts'] = [{ id: 'p_1' }];
		});
		trigger.status = (path) => (path.endsWith('/posts') ? 403 : 200);
		await trigger.poll();
		trigger.lists['/locations/loc_1/posts'].push({ id: 'p_2' });
		trigger.lists['/locations/loc_1/keywords'].push({ id: 'kw_2' });
		trigger.locations[0].keywords_count = 2;
		expect(await trigger.reported()).toEqual(['keywordAdded kw_2']);
		expect(trigger.asked).not.toContain('/locations/loc_1/posts');
		expect(trigger.warnings).toHaveLength(1);
		trigger.status = () => 200;
		const later: string[] = [];
		for (let polls = 4; polls <= 14; polls++) later.push(...(await trigger.reported()));
		expect(later).toEqual(['postAdded p_2']);
	});

	test('locations that are picked are read one by one', async () => {
		const parameters = { events: ['locationChanged'], locationIds: ['loc_7', 'loc_9'] };
		const trigger = await learned(parameters, (one) => {
			one.locations = Array.from({ length: 500 }, (_, nth) => ({ id: `loc_${nth}`, name: 'A' }));
		});
		expect(trigger.asked).toEqual(['/locations/loc_7', '/locations/loc_9']);
		trigger.locations[7].name = 'B';
		trigger.locations[8].name = 'B';
		expect(await trigger.reported()).toEqual(['locationChanged loc_7']);
		expect(trigger.asked).toHaveLength(2);
	});

	test('each poll reads a twelfth of the locations whole', async () => {
		const trigger = await learned({ events: ['keywordAdded'] }, (one) => {
			one.locations = Array.from({ length: 120 }, (_, nth) => ({ id: `loc_${nth}` }));
		});
		for (let round = 1; round <= 2; round++) {
			const read: string[] = [];
			for (let polls = 1; polls <= 12; polls++) {
				await trigger.poll();
				const [, ...lists] = trigger.asked;
				expect(lists).toHaveLength(10);
				read.push(...lists);
			}
			expect(new Set(read).size).toBe(120);
		}
	});

	test('the notice above the panel is one sentence that says what to do', () => {
		const notices = triggerParameters.filter(({ type }) => type === 'notice');
		expect(notices[0].displayName).toMatch(/^[A-Z][^.]+[^.]$/);
		expect(notices[0].displayName).toMatch(/'Every Hour'/);
		expect(notices[0].displayName).not.toMatch(/costs|[Ss]elect the locations/);
	});
});

describe('other settings: what is new learns, the rest keeps what it knows', () => {
	const watched = { events: ['locationChanged', 'postAdded'], options: { fieldsToWatch: 'a, b' } };
	const start = async () =>
		await learned({ ...watched }, (one) => {
			one.locations = [{ id: 'loc_1', a: 1, b: 1, c: 1 }];
			one.lists['/locations/loc_1/posts'] = [{ id: 'p_1', title: 'A' }];
		});
	const change = (trigger: Trigger, parameters: JsonObject) => {
		Object.assign(trigger.parameters, parameters);
		trigger.activate('update');
	};

	test('another order of fields', async () => {
		const trigger = await start();
		trigger.locations[0].b = 2;
		change(trigger, { options: { fieldsToWatch: 'b,a' } });
		expect(await trigger.reported()).toEqual(['locationChanged loc_1']);
	});

	test('one more field, one less', async () => {
		const trigger = await start();
		Object.assign(trigger.locations[0], { a: 2, c: 2 });
		change(trigger, { options: { fieldsToWatch: 'c, a' } });
		expect((await trigger.items()).map(({ changed }) => changed)).toEqual([['a']]);
		trigger.locations[0].c = 3;
		expect((await trigger.items()).map(({ changed }) => changed)).toEqual([['c']]);
	});

	test('one more event', async () => {
		const trigger = await start();
		trigger.locations[0].a = 2;
		const posts = trigger.lists['/locations/loc_1/posts'];
		posts[0].title = 'B';
		posts.push({ id: 'p_2', title: 'C' });
		change(trigger, { events: [...EVENTS] });
		expect(await trigger.reported()).toEqual(['locationChanged loc_1', 'postAdded p_2']);
		posts[0].title = 'D';
		expect(await trigger.reported()).toEqual(['postChanged p_1']);
	});

	test('one event less for a while', async () => {
		const trigger = await start();
		change(trigger, { events: ['locationChanged'] });
		await trigger.poll();
		trigger.lists['/locations/loc_1/posts'].push({ id: 'p_2' });
		change(trigger, { events: ['locationChanged', 'postAdded'] });
		expect(await trigger.reported()).toEqual([]);
		trigger.lists['/locations/loc_1/posts'].push({ id: 'p_3' });
		expect(await trigger.reported()).toEqual(['postAdded p_3']);
	});

	test('one more location', async () => {
		const trigger = await learned({ events: ['postAdded'], locationIds: ['loc_1'] }, (one) => {
			one.locations = [{ id: 'loc_1' }, { id: 'loc_2' }];
			one.lists['/locations/loc_2/posts'] = [{ id: 'q_1' }];
		});
		trigger.lists['/locations/loc_1/posts'] = [{ id: 'p_1' }];
		change(trigger, { locationIds: ['loc_2', 'loc_1'] });
		expect(await trigger.reported()).toEqual(['postAdded p_1']);
		trigger.lists['/locations/loc_2/posts'].push({ id: 'q_2' });
		expect(await trigger.reported()).toEqual(['postAdded q_2']);
	});

	test('another field with the time of scans', async () => {
		const times = (at: string) => ({ completed_at: `2025-11-${at}:00Z` });
		const old = scan('a', '20T09:00', 3, times('20T09:05'));
		const trigger = await learned({ events: ['rankScanCompleted'] }, scanned(old));
		change(trigger, { options: { scanTimeField: 'completed_at' } });
		expect(await trigger.reported()).toEqual([]);
		scanned(scan('b', '21T09:00', 3, times('21T09:05')), old)(trigger);
		expect(await trigger.reported()).toEqual(['rankScanCompleted b']);
	});
});

test('the example reports a fall, also where 0 stands for not ranked', () => {
	const file = join(__dirname, '../../examples/rank-drop-alert.json');
	const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as {
		nodes: Array<{ name: string; parameters: JsonObject }>;
	};
	const { conditions } = nodes.find(({ name }) => name === 'Is it a fall?')!.parameters
		.conditions as { conditions: Array<{ leftValue: string }> };
	const [, expression] = /^=\{\{(.*)\}\}$/.exec(conditions[0].leftValue)!;
	const isFall = (before: unknown, after: unknown) =>
		new Function('$json', `return ${expression}`)({
			before: before === undefined ? null : { position: before },
			record: { position: after },
		}) as boolean;
	expect([isFall(3, 9), isFall(3, 0), isFall(3, null)]).toEqual([true, true, true]);
	expect([isFall(9, 3), isFall(0, 5), isFall(null, 5), isFall(0, null)]).toEqual(
		Array(4).fill(false),
	);
	// The first scan of a keyword is no fall.
	expect([isFall(undefined, 5), isFall(undefined, 0)]).toEqual([false, false]);
});

describe('what happens to a record', () => {
	const watch = async (events: string[], options: JsonObject, ...scores: unknown[]) => {
		const [first, ...others] = scores;
		const trigger = await learned({ events, options }, (one) => {
			one.locations = [{ id: 'loc_1', name: 'A', rank_score: first }];
		});
		const said: unknown[] = [];
		for (const rank_score of others) {
			Object.assign(trigger.locations[0], { rank_score });
			said.push((await trigger.items()).map(({ change }) => change)[0]);
		}
		return said;
	};

	test.each([
		['rankScoreChanged', [50, 48, 46, 46, 52], [undefined, -4, undefined, 6]],
		['rankScoreDropped', [50, 80, 77, 76, 90, 86], [undefined, -3, undefined, undefined, -4]],
		['rankScoreRose', [50, 20, 23, 24, 10, 70.5], [undefined, 3, undefined, undefined, 60.5]],
		['rankScoreChanged', [50, null, 'n/a', undefined, 55], [undefined, undefined, undefined, 5]],
	])('%s: small steps add up since the last reported score', async (event, scores, changes) => {
		expect(await watch([event], { minimumChange: 3 }, ...scores)).toEqual(changes);
	});

	const posts = (...list: JsonObject[]) => ({ '/locations/loc_1/posts': list });
	test('a post is published when its status becomes the one that the option names', async () => {
		for (const status of ['published', 'live']) {
			const options = status === 'live' ? { publishedStatus: 'live' } : {};
			const old = [
				{ id: 'p_1', status: 'scheduled' },
				{ id: 'p_2', status },
			];
			const trigger = await learned({ events: ['postAdded', 'postPublished'], options }, (one) => {
				one.lists = posts(...old);
			});
			trigger.lists = posts({ id: 'p_1', status }, old[1], { id: 'p_3', status });
			expect(await trigger.reported()).toEqual([
				'postPublished p_1',
				'postAdded p_3',
				'postPublished p_3',
			]);
		}
	});

	test('what one list lacks is still there; what two lack is gone, and new if it returns', async () => {
		const trigger = await learned({ events: ['postAdded'] }, (one) => {
			one.lists = posts({ id: 'p_1' }, { id: 'p_2' });
		});
		const poll = async (...ids: string[]) => {
			trigger.lists = posts(...ids.map((id) => ({ id })));
			return await trigger.reported();
		};
		expect([await poll('p_1'), await poll('p_1', 'p_2')]).toEqual([[], []]);
		expect([await poll('p_1'), await poll('p_1')]).toEqual([[], []]);
		expect(await poll('p_1', 'p_2')).toEqual(['postAdded p_2']);
	});

	test('a field that no record had before is learned; the others count as changed', async () => {
		const trigger = await learned({ events: ['postChanged'] }, (one) => {
			one.lists = posts({ id: 'p_1', title: 'A' }, { id: 'p_2', title: 'A', image: 'x' });
		});
		trigger.lists = posts(
			{ id: 'p_1', title: 'A', image: 'y', views: 1, created_at: 'now' },
			{ id: 'p_2', title: 'A', image: null, views: 1 },
		);
		expect((await trigger.items()).map(({ changed }) => changed)).toEqual([['image'], ['image']]);
		trigger.lists['/locations/loc_1/posts'][0].views = 2;
		expect((await trigger.items()).map(({ changed }) => changed)).toEqual([['views']]);
	});

	test('a scan without a time is not over, nor is one in the future', async () => {
		const old = scan('a', '20T09:00', 3);
		const trigger = await learned({ events: ['rankScanCompleted'] }, scanned(old));
		const running = { id: 'b', scanned_at: null as string | null, position: null };
		const ahead = { id: 'c', scanned_at: '2099-01-01T00:00:00Z', position: 1 };
		scanned(running, ahead, old)(trigger);
		trigger.locations[0].last_scan_at = '2025-11-21T09:00:00Z';
		expect(await trigger.reported()).toEqual([]);
		running.scanned_at = '2025-11-21T09:00:00Z';
		expect(await trigger.reported()).toEqual(['rankScanCompleted b']);
		// Others of the same second come later in the list.
		const same = scan('d', '21T09:00', 5);
		scanned(ahead, same, running, old)(trigger);
		trigger.locations[0].last_scan_at = 'changed';
		expect(await trigger.reported()).toEqual(['rankScanCompleted d']);
	});

	test('a list of another account, or an empty one, is no news', async () => {
		const trigger = await learned({ events: ['locationAdded'] });
		const own = trigger.locations;
		trigger.locations = [];
		expect(await trigger.reported()).toEqual([]);
		trigger.locations = [{ id: 'other_1' }, { id: 'other_2' }];
		expect(await trigger.reported()).toEqual([]);
		expect(trigger.warnings.join()).toMatch(
			/as with another account: the trigger starts from scratch/,
		);
		trigger.locations.push(...own);
		expect(await trigger.reported()).toEqual(['locationAdded loc_1']);
	});
});

describe('what is said', () => {
	test.each([
		[{ events: [] }, 'No event is selected'],
		[{ events: ['postGone'] }, 'There is no event "postGone"'],
		[
			{ events: ['rankScoreRose'], options: { minimumChange: 'much' } },
			/'Minimum Change' must be a/,
		],
		[
			{ events: ['postAdded'], locationIds: ['Marlow'] },
			/No location has the ID "Marlow".*There is Marlow/,
		],
		[
			{ events: ['locationChanged'], options: { fieldsToWatch: 'Name' } },
			/no field "Name".*They have: id, name/,
		],
		[
			{ events: ['rankScanCompleted'], options: { scanTimeField: 'at' } },
			/"at".*A scan has: id, scanned_at, position.*'Scan Time Field'/,
		],
	])('of settings that match nothing: %j', async (parameters, words) => {
		const make = () => {
			const trigger = new Trigger(parameters);
			scanned(scan('a', '20T09:00', 3))(trigger);
			return trigger;
		};
		expect(await outcomeOf(make())).toMatch(words);
		const sample = make();
		sample.mode = 'manual';
		expect(await outcomeOf(sample)).toMatch(words);
	});

	test('a picked location that is gone later silences nothing', async () => {
		const parameters = { events: ['postAdded'], locationIds: ['loc_1', 'loc_2'] };
		const trigger = await learned(parameters, (one) => {
			one.locations = [{ id: 'loc_1' }, { id: 'loc_2' }];
		});
		trigger.locations.pop();
		trigger.lists['/locations/loc_1/posts'] = [{ id: 'p_1' }];
		expect(await trigger.reported()).toEqual(['postAdded p_1']);
		expect(await trigger.reported()).toEqual([]);
		expect(trigger.warnings).toHaveLength(1);
		expect(trigger.warnings[0]).toMatch(/loc_2/);
	});

	test('a service that refuses everything fails the poll, and nothing is lost', async () => {
		const trigger = await learned({ events: ['postAdded'] });
		trigger.lists['/locations/loc_1/posts'] = [{ id: 'p_1' }];
		for (const refused of ['/', '/posts']) {
			trigger.status = (path) => (path.includes(refused) ? 429 : 200);
			const startedAt = trigger.clock.now();
			expect(await outcomeOf(trigger)).toMatch(/Rate limit reached/);
			expect(trigger.clock.now() - startedAt).toBeLessThan(2 * MINUTE);
		}
		trigger.status = () => 200;
		expect(await trigger.reported()).toEqual(['postAdded p_1']);
	});

	test('activation fails if none of the lists can be read, and says why', async () => {
		const trigger = new Trigger({ events: ['postAdded', 'locationAdded'] });
		trigger.status = (path) => (path.endsWith('/posts') ? 403 : 200);
		expect(await outcomeOf(trigger)).toMatch(/not allowed to get the content posts/);
		expect(trigger.stored).toEqual({});
	});

	test('records without an ID are named once, and the others are watched', async () => {
		const trigger = await learned({ events: ['postAdded'] }, (one) => {
			one.lists['/locations/loc_1/posts'] = [{ title: 'A' }];
		});
		trigger.lists['/locations/loc_1/posts'].push({ id: 'p_1' });
		expect(await trigger.reported()).toEqual(['postAdded p_1']);
		expect(trigger.warnings).toEqual([
			"Local SEO Trigger: Content posts without an ID are left out: they can't be recognized",
		]);
	});
});

test('a poll that runs out of time goes on where it stopped, also within a location', async () => {
	const trigger = new Trigger({ events: ['rankScanCompleted'] });
	scanned()(trigger);
	const keywords = Array.from({ length: 200 }, (_, nth) => ({ id: `kw_${nth}` }));
	trigger.lists['/locations/loc_1/keywords'] = keywords;
	trigger.latency = 4_000;
	const asked = new Set<string>();
	let polls = 0;
	do {
		expect(await trigger.reported()).toEqual([]);
		for (const path of trigger.asked) asked.add(path);
	} while (++polls < 30 && asked.size < keywords.length + 2);
	expect([asked.size, polls < 30, polls > 2]).toEqual([keywords.length + 2, true, true]);
});

test('a kill loses and doubles nothing', async () => {
	const trigger = await learned({ events: ['postAdded', 'postChanged'] });
	const saved = JSON.stringify(trigger.stored);
	const add = (...posts: JsonObject[]) => (trigger.lists['/locations/loc_1/posts'] = posts);
	add({ id: 'p_1', title: 'A' });
	trigger.restartFrom(saved);
	expect(await trigger.reported()).toEqual(['postAdded p_1']);
	const next = JSON.stringify(trigger.stored);
	for (let polls = 0; polls < 13; polls++) expect(await trigger.reported()).toEqual([]);
	add({ id: 'p_1', title: 'B' });
	trigger.restartFrom(next);
	expect(await trigger.reported()).toEqual(['postChanged p_1']);
});
