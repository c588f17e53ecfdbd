import { compareRecord, learnRecord, locationEvents } from '../../nodes/LocalSeo/trigger/location';
import { LOCATION, locationMemory, watching } from '../support/trigger';

/** What is reported while the score goes through all of these. */
function eventsOf(scores: unknown[], settings: ReturnType<typeof watching>) {
	const at = (rank_score: unknown) => ({ ...LOCATION, rank_score });
	let known = locationMemory(learnRecord(at(scores[0]), settings));
	return scores.slice(1).flatMap((score) => {
		const { events, memory } = compareRecord(known, at(score), new Set(), settings);
		known = memory;
		return events;
	});
}

test.each([
	['both', 0, [50, 55, 50, 50, 49], [55, 50, 49]],
	['up', 0, [50, 55, 50, 52], [55, 52]],
	['down', 0, [50, 55, 50, 49], [50, 49]],
	['both', 5, [50, 52, 54, 56, 53, 50], [56, 50]],
	['up', 5, [50, 40, 44, 45, 47], [45]],
	['down', 5, [50, 60, 56, 55], [55]],
] as const)(
	'a rank score that goes %s by %p: of %p it reports %p',
	(direction, by, scores, expected) => {
		const settings = watching(['rankScoreChanged'], { direction, minimumChange: by });
		const reported = eventsOf([...scores], settings).map(({ record }) => record.rank_score);
		expect(reported).toEqual(expected);
	},
);

test.each([
	[
		'rankScoreDropped',
		[50, 60, 56, 55, 52, 50],
		[
			[60, 55],
			[55, 50],
		],
		-5,
	],
	[
		'rankScoreRose',
		[50, 40, 44, 45, 46, 50],
		[
			[40, 45],
			[45, 50],
		],
		5,
	],
] as const)(
	'%s: in one direction only, whatever the option says',
	(name, scores, expected, change) => {
		for (const direction of ['both', 'down', 'up'] as const) {
			const settings = watching([name], { direction, minimumChange: 5 });
			expect(eventsOf([...scores], settings)).toMatchObject(
				expected.map(([rank_score, score]) => ({
					before: { rank_score },
					record: { rank_score: score },
					change,
				})),
			);
		}
	},
);

test('each event compares with a score of its own', () => {
	const events = ['rankScoreChanged', 'rankScoreDropped', 'rankScoreRose'];
	const reported = eventsOf([50, 54, 49, 55], watching(events, { minimumChange: 5 }));
	expect(reported.map(({ event, before, change }) => [event, before?.rank_score, change])).toEqual([
		['rankScoreDropped', 54, -5],
		['rankScoreChanged', 50, 5],
		['rankScoreRose', 49, 6],
	]);
});

test.each([[[50, null, 53]], [[null, 50, 53]]])(
	'while there is no score, the last one stays the reference: %j',
	(scores) => {
		expect(eventsOf(scores, watching(['rankScoreChanged']))).toMatchObject([
			{ before: { rank_score: 50 }, record: { rank_score: 53 } },
		]);
	},
);

test.each(['both', 'down', 'up'] as const)(
	'direction %s: the test event shows a change that is let through',
	(direction) => {
		for (const { name, sample } of locationEvents) {
			if (!name.startsWith('rankScore')) continue;
			const location = { ...LOCATION, rank_score: 47 };
			const listed = { location, keywords: [], scans: [], posts: [] };
			const settings = watching([name], { direction, minimumChange: 7.5 });
			const event = sample(listed, settings)!;
			const known = locationMemory({ rankScores: { [name]: Number(event.before!.rank_score) } });
			expect(compareRecord(known, location, new Set(), settings).events).toEqual([event]);
			// A location without a score has no such test event.
			expect(sample({ ...listed, location: LOCATION }, settings)).toBeUndefined();
		}
	},
);
