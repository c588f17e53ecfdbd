import { fingerprintsOf, withFieldsOf } from '../../nodes/LocalSeo/trigger/fingerprints';
import {
	locationSubject,
	packRankScores,
	unpackRankScores,
} from '../../nodes/LocalSeo/trigger/location';
import { accountMemory, compare, LOCATION, watching } from '../support/trigger';

const NO_FIELDS = { names: [], late: [] };

describe('Location Changed', () => {
	const settings = watching(['locationChanged']);

	/** What is reported of a location that was first like this, and then like that. */
	function change(earlier: object, later: object, others: object[] = []) {
		const first = withFieldsOf(NO_FIELDS, [{ ...LOCATION, ...earlier }, ...(others as never[])]);
		const known = {
			fingerprints: fingerprintsOf({ ...LOCATION, ...earlier }, first),
			rankScores: {},
		};
		const location = { ...LOCATION, ...later };
		const fields = withFieldsOf(first, [location, ...(others as never[])]);
		return compare(locationSubject, known, { location }, settings, accountMemory({ fields }));
	}

	test('a field that changed comes with its earlier value', () => {
		const { events } = change({ city: 'Marlow', status: 'active' }, { city: 'Marlow' });
		expect(events).toMatchObject([{ before: { status: 'active' }, changed: ['status'] }]);
	});

	test('of a long text only the change is known, not the earlier value', () => {
		const address = 'A very long street with a name that goes on and on, number 12';
		const { events } = change({ address }, { address: `${address}a` });
		expect(events).toMatchObject([{ before: {}, changed: ['address'] }]);
	});

	test('a short text that looks like a digest is not taken for one', () => {
		const { events } = change({ city: '#1 Town' }, { city: '#2 Town' });
		expect(events).toMatchObject([{ before: {}, changed: ['city'] }]);
	});

	test('a field that the service adds to all records is no change', () => {
		expect(change({}, { phone: '030' }).events).toEqual([]);
	});

	test('a field that only some records have was empty before', () => {
		const { events } = change({}, { phone: '030' }, [{ id: 'loc_2' }]);
		expect(events).toMatchObject([{ before: { phone: null }, changed: ['phone'] }]);
	});

	test('it is reported once', () => {
		const { memory, account } = change({ city: 'Marlow' }, { city: 'Henley' });
		const location = { ...LOCATION, city: 'Henley' };
		expect(compare(locationSubject, memory, { location }, settings, account).events).toEqual([]);
	});
});

describe('rank score events', () => {
	/** What is reported while the score goes through all of these. */
	function eventsOf(scores: unknown[], settings: ReturnType<typeof watching>) {
		const [first, ...others] = scores;
		let known = locationSubject.learn(
			{ ...LOCATION, rank_score: first },
			accountMemory(),
			settings,
		);
		return others.flatMap((rank_score) => {
			const location = { ...LOCATION, rank_score };
			const { events, memory } = compare(locationSubject, known, { location }, settings);
			known = memory;
			return events;
		});
	}
	const reportedOf = (...given: Parameters<typeof eventsOf>) =>
		eventsOf(...given).map(({ before, record }) => [before?.rank_score, record.rank_score]);
	const watched = (direction: 'both' | 'down' | 'up', minimumChange: number) =>
		watching(['rankScoreChanged'], { direction, minimumChange });

	test('small steps add up to the minimum change', () => {
		expect(reportedOf([50, 52, 54, 56, 53], watched('both', 5))).toEqual([[50, 56]]);
	});

	test('a fall counts from the highest score since the last reported one', () => {
		expect(reportedOf([50, 60, 56, 55], watched('down', 5))).toEqual([[60, 55]]);
	});

	test('a rise counts from the lowest', () => {
		expect(reportedOf([50, 40, 44, 45], watched('up', 5))).toEqual([[40, 45]]);
	});

	test.each([
		[
			'rankScoreDropped',
			[50, 60, 56, 55, 52, 50],
			[
				[60, 55, -5],
				[55, 50, -5],
			],
		],
		[
			'rankScoreRose',
			[50, 40, 44, 45, 46, 50],
			[
				[40, 45, 5],
				[45, 50, 5],
			],
		],
	] as const)('%s: in one direction only, whatever the option says', (name, scores, expected) => {
		for (const direction of ['both', 'down', 'up'] as const) {
			const settings = watching([name], { direction, minimumChange: 5 });
			expect(reportedOf([...scores], settings)).toEqual(
				expected.map(([earlier, score]) => [earlier, score]),
			);
			expect(eventsOf([...scores], settings).map(({ change }) => change)).toEqual(
				expected.map(([, , change]) => change),
			);
		}
	});

	test('each event compares with a score of its own', () => {
		const settings = watching(['rankScoreChanged', 'rankScoreDropped', 'rankScoreRose'], {
			minimumChange: 5,
		});
		expect(
			eventsOf([50, 54, 49, 55], settings).map(({ event, before, change }) => [
				event,
				before?.rank_score,
				change,
			]),
		).toEqual([
			['rankScoreDropped', 54, -5],
			['rankScoreChanged', 50, 5],
			['rankScoreRose', 49, 6],
		]);
	});

	test.each(['both', 'down', 'up'] as const)(
		'direction %s: the test event shows a change that is let through',
		(direction) => {
			for (const { name, sample } of locationSubject.events) {
				if (!name.startsWith('rankScore')) continue;
				const location = { ...LOCATION, rank_score: 47 };
				const listed = { location, keywords: [], scans: [], posts: [] };
				const settings = watching([name], { direction, minimumChange: 7.5 });
				const event = sample(listed, settings)!;
				const known = {
					fingerprints: [],
					rankScores: { [name]: Number(event.before!.rank_score) },
				};
				const { events } = compare(locationSubject, known, { location }, settings);
				expect(events).toEqual([event]);
			}
		},
	);

	test('a location without a score has no such test event', () => {
		const listed = { location: LOCATION, keywords: [], scans: [], posts: [] };
		const events = locationSubject.events.filter(({ name }) => name.startsWith('rankScore'));
		expect(events.map(({ name, sample }) => sample(listed, watching([name])))).toEqual([
			undefined,
			undefined,
			undefined,
		]);
	});

	test('while there is no score, the last one stays the reference', () => {
		expect(reportedOf([50, null, 53], watched('both', 0))).toEqual([[50, 53]]);
		expect(reportedOf([null, 50, 53], watched('both', 0))).toEqual([[50, 53]]);
	});

	test('scores of several events are stored in the order of these', () => {
		const rankScores = { rankScoreChanged: 47, rankScoreDropped: 52 };
		expect(packRankScores(rankScores)).toEqual([47, 52, null]);
		expect(unpackRankScores([47, 52, null])).toEqual(rankScores);
	});
});
