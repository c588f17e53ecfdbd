import { concurrently, idOf, type JsonObject } from '../client';
import { keyword, post } from '../resources';
import { diff, keyIn, keyOfId } from './diff';
import type { KeywordMemory, LocationMemory } from './memory';
import { readRecords } from './reader';
import type { Round } from './round';
import { readScans } from './scanPages';
import { compareScans, scansAfter } from './scans';
import { eventsOf, watchOf } from './settings';

/** The most keywords of a location whose scans are read concurrently. */
const CONCURRENT_KEYWORDS = 8;

/** A hash of a location's field that says whether lists have changed. */
const markOf = (value: unknown): string => keyOfId(value ?? null);

/**
 * Reads and compares the lists of a location that may have changed, and writes to its memory. A list that
 * could not be read stays there as it was, so that a later poll finds what has happened.
 *
 * @param isTurn true to read its keywords, whatever the location says of them
 */
export async function compareLists(
	round: Round,
	location: JsonObject,
	memory: LocationMemory,
	isTurn: boolean,
): Promise<void> {
	const { settings } = round.reader;
	if (eventsOf(settings, 'posts').length > 0) await comparePosts(round, location, memory);
	const watchesKeywords = [...eventsOf(settings, 'keywords'), ...eventsOf(settings, 'scans')];
	if (watchesKeywords.length === 0) return;
	if (isTurn || mayHaveNews(round, location, memory)) {
		await compareKeywords(round, location, memory);
	}
}

async function comparePosts(
	round: Round,
	location: JsonObject,
	memory: LocationMemory,
): Promise<void> {
	const posts = await round.attempt('posts', location, async (reader) => {
		return await readRecords(reader, post, location);
	});
	if (!posts) return;
	const { found, list } = diff(memory.posts, posts, watchOf(round.reader.settings, 'posts'));
	round.report(found, 'posts', location);
	round.noteFields('posts', posts);
	memory.posts = list;
}

/** True if a location shows that its keywords or their scans have changed, or they are still to be read. */
function mayHaveNews(round: Round, location: JsonObject, memory: LocationMemory): boolean {
	const { keywords, keywordsCount } = memory;
	if (!keywords || keywords.isInDoubt) return true;
	if (keywordsCount !== markOf(location.keywords_count)) return true;
	const areWatched = eventsOf(round.reader.settings, 'scans').length > 0;
	return areWatched && Object.values(keywords.records).some((one) => hasNewScans(location, one));
}

/** A keyword remembers for itself when its scans were read, so that a poll can stop between two of them. */
const hasNewScans = (location: JsonObject, { scans }: KeywordMemory) =>
	scans?.lastScanAt !== markOf(location.last_scan_at);

async function compareKeywords(
	round: Round,
	location: JsonObject,
	memory: LocationMemory,
): Promise<void> {
	const { settings } = round.reader;
	const keywords = await round.attempt('keywords', location, async (reader) => {
		return await readRecords(reader, keyword, location);
	});
	if (!keywords) {
		// The next poll reads them, also if it is not their turn.
		delete memory.keywordsCount;
		return;
	}
	const { found, list } = diff(memory.keywords, keywords, watchOf(settings, 'keywords'));
	const removed = found.removed.map(({ record }) => ({
		record: { ...record, location_id: idOf(location) },
	}));
	round.report({ ...found, removed }, 'keywords', location);
	const hasScans = eventsOf(settings, 'scans').length > 0;
	for (const { record } of hasScans ? found.added : []) {
		// It was not there at the last reading, so that none of its scans was over by then.
		list.records[keyIn(record)].scans = scansAfter(memory.keywordsReadAt!);
	}
	memory.keywords = list;
	memory.keywordsCount = markOf(location.keywords_count);
	memory.keywordsReadAt = round.seconds;
	if (!hasScans) return;
	const jobs = keywords.map((record) => async () => {
		await compareScansOf(round, record, location, list.records[keyIn(record)]);
	});
	await concurrently(jobs, CONCURRENT_KEYWORDS);
}

async function compareScansOf(
	round: Round,
	record: JsonObject,
	location: JsonObject,
	memory: KeywordMemory,
): Promise<void> {
	if (!hasNewScans(location, memory)) return;
	const scans = await round.attempt('scans', location, async (reader) => {
		return await readScans(reader, record, memory.scans);
	});
	if (!scans) return;
	const { settings } = round.reader;
	const compared = compareScans(scans, memory.scans, settings, round.seconds);
	round.report({ added: compared.found }, 'scans', location, { keyword: record });
	const lastScanAt = compared.memory.isInDoubt ? undefined : markOf(location.last_scan_at);
	memory.scans = { ...compared.memory, lastScanAt };
}
