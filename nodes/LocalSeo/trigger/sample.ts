import type { IDataObject } from 'n8n-workflow';

import { createdAt, idOf, isIdentified } from '../client/envelope';
import { timeOf } from '../client/time';
import { readRecords } from '../client/list';
import { readPage } from '../client/page';
import type { Host } from '../client/request';
import type { Event } from './event';
import { addNames } from './marks';
import type { RequestFor } from './look';
import { scansSince } from './scans';
import { type EventName, isWatched, type Watch } from './watch';

/** So many locations are asked for a sample before it is given up. */
const LOCATIONS = 5;

/**
 * A recent record of the account in the form of the first chosen event that there is one for, so
 * that a workflow can be built with it. Nothing has changed: what it was before is what it is.
 */
export async function sampleOf(host: Host, watch: Watch, requestFor: RequestFor): Promise<Event[]> {
	const listing = requestFor('/locations', '', 'location');
	const locations = (await readRecords(host, listing, watch.paging)).filter(isIdentified);
	const watched = locations.filter((location) => isWatched(watch, location));
	const scanned = [...watched].sort((a, b) => scannedAt(b) - scannedAt(a));

	const records = async (part: string, noun: string, location: IDataObject) => {
		const request = requestFor(`/locations/{locationId}/${part}`, idOf(location) ?? '', noun);
		const page = await readPage(host, request, watch.paging, 1);
		return newestFirst(page.records.filter(isIdentified));
	};
	const ofLocation = async (
		part: string,
		noun: string,
		toEvent: (record: IDataObject, location: IDataObject) => Event | Promise<Event | undefined>,
	) => {
		for (const location of scanned.slice(0, LOCATIONS)) {
			const [record] = await records(part, noun, location);
			const event = record && (await toEvent(record, location));
			if (event) return event;
		}
		return undefined;
	};
	const added = (event: EventName) => (record: IDataObject, location: IDataObject) => ({
		...{ event, record, before: null, changed: [], location },
	});
	const changed =
		(event: EventName, wanted: string[] = []) =>
		(record: IDataObject, location: IDataObject) => {
			const fields = { names: [], late: [] };
			addNames(fields, [record], wanted);
			const names: string[] = fields.names;
			const before = Object.fromEntries(names.map((name) => [name, record[name]]));
			return { event, record, before, changed: names, location };
		};

	const samples: Record<EventName, () => Promise<Event | undefined>> = {
		keywordAdded: async () => await ofLocation('keywords', 'keyword', added('keywordAdded')),
		keywordRemoved: async () =>
			await ofLocation('keywords', 'keyword', ({ id, location_id, keyword }, location) => {
				const record = { id, location_id, keyword };
				return { event: 'keywordRemoved', record, before: record, changed: [], location };
			}),
		locationAdded: async () => {
			const [location] = newestFirst(locations);
			return location && added('locationAdded')(location, location);
		},
		locationChanged: async () => {
			const [location] = scanned;
			return location && changed('locationChanged', watch.fields)(location, location);
		},
		postAdded: async () => await ofLocation('posts', 'content post', added('postAdded')),
		postChanged: async () => await ofLocation('posts', 'content post', changed('postChanged')),
		rankScanCompleted: async () =>
			await ofLocation('keywords', 'keyword', async (keyword, location) => {
				const template = '/keywords/{keywordId}/scans';
				const request = requestFor(template, idOf(keyword) ?? '', 'rank scan');
				const scans = await scansSince(host, request, watch.paging, scannedAt(location));
				const [scan, before] = scans;
				return (
					scan && {
						event: 'rankScanCompleted',
						record: scan.record,
						before: before?.record ?? null,
						changed: ['position'],
						...{ location, keyword },
					}
				);
			}),
		rankScoreChanged: async () => {
			const [location] = scanned;
			return location && changed('rankScoreChanged', ['rank_score'])(location, location);
		},
	};
	for (const event of watch.events) {
		const sample = await samples[event]?.();
		if (sample) return [sample];
	}
	return [];
}

function newestFirst(records: IDataObject[]): IDataObject[] {
	return [...records].sort((a, b) => (createdAt(b) ?? 0) - (createdAt(a) ?? 0));
}

function scannedAt({ last_scan_at }: IDataObject): number {
	return timeOf(last_scan_at) ?? 0;
}
