import type { EventType } from './events';
import type { LocationMemory, State } from './memory';
import { eventsOf, type Settings } from './settings';

/** The state of a trigger that remembers nothing. */
export function emptyState(settings: Settings): State {
	const events = settings.events.map(({ name }) => name);
	const { scanTimeField, publishedStatus } = settings;
	const fields = { locations: [], posts: [] };
	const rest = { polls: 0, noted: [], fields, locations: {} };
	return { events, scanTimeField, publishedStatus, ...rest };
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
	for (const memory of Object.values(state.locations)) {
		memory.learns = learns(memory.learns);
		if (eventsOf(settings, 'posts').length === 0) forget(memory, ['posts', 'postFields']);
		if (eventsOf(settings, 'keywords').length === 0 && !hasScans) forget(memory, ['keywords']);
		if (hasScans && !scans.some((name) => added.includes(name))) continue;
		forget(memory, ['lastScanAt', 'newest']);
		memory.keywords = memory.keywords?.map(([id, text, , marks = '']) => {
			return [id, text, null, marks.replace('+', '')];
		});
	}
	return { ...state, events, scanTimeField, publishedStatus, learns: learns(state.learns) };
}

function forget(memory: LocationMemory, names: Array<keyof LocationMemory>): void {
	for (const name of names) delete memory[name];
}
