import type { EventType } from './events';
import type { State } from './memory';
import { eventsOf, type Settings } from './settings';

/** The state of a trigger that remembers nothing. */
export function emptyState(settings: Settings): State {
	const events = settings.events.map(({ name }) => name);
	const { scanTimeField, publishedStatus } = settings;
	const fields = { locations: [], posts: [] };
	const locations = new Map();
	return { events, scanTimeField, publishedStatus, polls: 0, noted: [], fields, locations };
}

/**
 * A state for other settings: an event that was added learns everywhere, since what happened before is
 * not reported, and what is no longer watched is forgotten. The rest stays as it is.
 */
export function adapted(state: State, settings: Settings): State {
	const { events, scanTimeField, publishedStatus } = emptyState(settings);
	const scans = eventsOf(settings, 'scans').map(({ name }) => name);
	// With another field or status, what is known of scans or publications can't be compared.
	const isNew = ({ name, of, when }: EventType) =>
		!state.events.includes(name) ||
		(of === 'scans' && scanTimeField !== state.scanTimeField) ||
		(when === 'became' && publishedStatus !== state.publishedStatus);
	const added = settings.events.filter(isNew).map(({ name }) => name);
	const learns = (known: string[] = []) =>
		events.filter((name) => known.includes(name) || added.includes(name));
	const hasScans = scans.length > 0;
	for (const memory of state.locations.values()) {
		memory.learns = learns(memory.learns);
		if (eventsOf(settings, 'posts').length === 0)
			Object.assign(memory, { posts: undefined, postFields: undefined });
		if (eventsOf(settings, 'keywords').length === 0 && !hasScans) delete memory.keywords;
		if (hasScans && !scans.some((name) => added.includes(name))) continue;
		delete memory.lastScanAt;
		delete memory.newest;
		for (const keyword of memory.keywords ?? [])
			Object.assign(keyword, { scans: undefined, isDue: false });
	}
	return { ...state, events, scanTimeField, publishedStatus, learns: learns(state.learns) };
}
