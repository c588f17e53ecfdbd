import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { triggerParameters } from '../../nodes/LocalSeo/trigger/parameters';
import { eventTypes } from '../../nodes/LocalSeo/trigger/events';
import { EVENTS, LOCATION, minutesLater, timeAt, watching } from '../support/trigger';

const parameter = (name: string) => triggerParameters.find((one) => one.name === name)!;

test('the panel offers the events in the order of their labels', () => {
	const offered = parameter('events').options as INodePropertyOptions[];
	expect(offered.map(({ value }) => value).sort()).toEqual([...EVENTS].sort());
	const labels = offered.map(({ name }) => name);
	expect(labels).toEqual([...labels].sort());
	expect(offered[0]).toEqual({
		name: 'Content Post Added',
		value: 'postAdded',
		description: 'A content post was added to a location',
	});
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

describe('Fetch Test Event', () => {
	const location = { ...LOCATION, rank_score: 47 };
	const keyword = { id: 'kw_1', location_id: 'loc_1', keyword: 'dentist', search_volume: 90 };
	const scan = { record: { id: 'scan_1', scanned_at: timeAt(0) }, at: minutesLater(0) };
	const post = { id: 'post_1', title: 'A' };
	const listed = { location, keywords: [keyword], scans: [[scan]], posts: [post] };
	const nothing = { location, keywords: [], scans: [], posts: [] };

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
