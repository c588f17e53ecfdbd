import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { triggerParameters } from '../../nodes/LocalSeo/trigger/parameters';
import { namesOf, subjects } from '../../nodes/LocalSeo/trigger/subjects';
import { LOCATION, minutesLater, timeAt, watching } from '../support/trigger';

const eventTypes = subjects.flatMap(({ events }) => events);
const parameter = (name: string) => triggerParameters.find((one) => one.name === name)!;

test('the panel offers the events of the subjects, and no others', () => {
	const offered = (parameter('events').options as INodePropertyOptions[]).map(({ value }) => value);
	expect([...offered].sort()).toEqual(eventTypes.map(({ name }) => name).sort());
});

test('an option is shown with the events that it concerns', () => {
	const options = parameter('options').options as INodeProperties[];
	const shownWith = Object.fromEntries(
		options
			.filter(({ displayOptions }) => displayOptions)
			.map(({ name, displayOptions }) => [name, displayOptions?.show?.['/events']]),
	);
	expect(shownWith).toEqual({
		direction: ['rankScoreChanged'],
		fieldsToWatch: ['locationChanged'],
		minimumChange: ['rankScoreChanged', 'rankScoreDropped', 'rankScoreRose'],
		onlyPositionChanges: ['rankScanCompleted'],
	});
});

test('no two events have the same name', () => {
	const names = subjects.flatMap(namesOf);
	expect(names).toEqual([...new Set(names)]);
});

describe('Fetch Test Event', () => {
	const location = { ...LOCATION, rank_score: 47 };
	const keyword = { id: 'kw_1', location_id: 'loc_1', keyword: 'dentist', search_volume: 90 };
	const scan = { record: { id: 'scan_1', scanned_at: timeAt(0) }, at: minutesLater(0) };
	const post = { id: 'post_1', title: 'A' };
	const listed = { location, keywords: [keyword], scans: [[scan]], posts: [post] };
	const nothing = { location, keywords: [], scans: [], posts: [] };

	test.each(eventTypes)('$name: a record in the form of the event', ({ name, sample }) => {
		const event = sample(listed, watching([name]));
		expect(event).toMatchObject({ event: name, location });
		expect([location, keyword, scan.record, post].map(({ id }) => id)).toContain(event?.record.id);
	});

	test('an event of a location shows the fields that are watched', () => {
		const { sample } = eventTypes.find(({ name }) => name === 'locationChanged')!;
		const settings = watching(['locationChanged'], { fieldsToWatch: ['name'] });
		expect(sample(listed, settings)).toMatchObject({
			before: { name: location.name },
			changed: ['name'],
		});
	});

	test('without a record there is no sample', () => {
		const without = eventTypes.filter(({ name, sample }) => !sample(nothing, watching([name])));
		expect(without.map(({ name }) => name).sort()).toEqual([
			'keywordAdded',
			'keywordRemoved',
			'postAdded',
			'postChanged',
			'rankScanCompleted',
		]);
	});
});
