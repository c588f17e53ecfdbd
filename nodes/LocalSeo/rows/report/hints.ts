import { DateTime } from 'luxon';

import { idOf, isRecord } from '../../client';
import { isUpsert, type Note } from '../../resources';
import { asHtml, capitalized, listed, sentences } from '../../text/words';
import type { Item } from '../item';
import { labelOf, messageOf, unitOf } from '../labels';
import type { Failure } from '../outcome';
import {
	countOf,
	doneTo,
	failuresIn,
	forecastsIn,
	MAX_REASONS,
	plannedIn,
	reasonsIn,
	rowsThat,
	type Run,
	successesOf,
	summaryOf,
} from './results';

const WHY_FILTERED = 'The query parameters may have filtered them out.';

/**
 * The words of the error with which the node stops: that of the first row, whose message is about all rows.
 * n8n shows no other. Undefined if no row failed.
 */
export function stopOf(run: Run): { failure: Failure; words: Failure } | undefined {
	const { rows } = run;
	const [failure] = failuresIn(run);
	if (!failure) return undefined;
	// Another failure beside it, such as a row that could not be confirmed, has to be named.
	const areAsked = run.ends.every((end) => !end.failure || end.isAsked);
	if (areAsked) {
		const { message, description } = failure;
		const advice = sentences(description, createdIn(run), rerunAdvice(run));
		return { failure, words: { message, description: advice } };
	}
	if (rows.length === 1) {
		const message = messageOf(rows, [0], failure.message);
		return { failure, words: { message, description: failure.description } };
	}
	const advice = [...adviceOf(run), createdIn(run), rerunAdvice(run), keepAdvice(run)];
	return { failure, words: { message: summaryOf(run), description: sentences(...advice) } };
}

/** How many different notes of rows are shown. */
const MAX_NOTES = 10;

/** The hints that are shown with the results. */
export function hintsOf(run: Run): string[] {
	return [
		nothingFound(run),
		failuresHint(run) ?? plannedHint(run) ?? outcomesHint(run),
		liveHint(run),
		...run.notes,
		...sentencesOf(run.ends.flatMap(({ notes }) => notes)).slice(0, MAX_NOTES),
		moreHint(run),
		sameIdHint(run),
	]
		.filter((message) => message !== undefined)
		.map(asHtml);
}

/** The hint where items are not read one by one: one execution gives all that they would give. */
export function onceHint(items: Item[], read: Item[]): string[] {
	if (read.length === items.length) return [];
	const all = `all ${items.length} ${unitOf(items)}s`;
	return [`Read once for ${all}, because no parameter depends on the ${unitOf(items)}.`];
}

function keepAdvice(run: Run): string | undefined {
	if (failuresIn(run).length === run.rows.length) return undefined;
	return "To keep the results of the others, and the reason for each that failed, set 'On Error' to Continue (using error output) in the settings of this node.";
}

/** The advice on running the rows again, where some of them have created something, or may have. */
function rerunAdvice(run: Run): string | undefined {
	const { resource, operation, rows, isRepeatable } = run;
	const isNoneSent = failuresIn(run).length + countOf(run, 'dry run') === rows.length;
	if (operation.routing.request.method !== 'POST' || isNoneSent) return undefined;
	const all = `all ${unitOf(rows)}s`;
	const again = rowsThat(run, ({ mayRepeat }) => mayRepeat === true);
	if (again.length > 0) {
		return `Do not run ${all} again: a second ${resource.noun} could come of ${labelOf(rows, again)}. Run only those that failed.`;
	}
	const unclear = rowsThat(run, ({ isUnclear }) => isUnclear === true);
	const first = unclear.length > 0 ? `Check ${labelOf(rows, unclear)} first. Then you` : 'You';
	if (isUpsert(operation)) {
		return `${first} can safely run ${all} again: those that succeeded come out as unchanged.`;
	}
	if (isRepeatable) {
		return `${first} can safely run ${all} again: those whose ${resource.noun} already exists are skipped.`;
	}
	return `Do not run ${all} again: those that succeeded would be ${doneTo(run)} twice. Run only those that failed, or set 'If It Already Exists' to 'Skip the Row'.`;
}

/** The advice for each of the reasons that the summary shows. */
function adviceOf(run: Run): Array<string | null | undefined> {
	const reasons = reasonsIn(run);
	if (reasons.length === 1) return [reasons[0].description];
	return reasons
		.slice(0, MAX_REASONS)
		.filter(({ description }) => description)
		.map(({ indexes, description }) => messageOf(run.rows, indexes, description!));
}

/** How many IDs an error lists. */
const MAX_IDS = 5;

function idsCreatedIn({ ends }: Run): string[] {
	const items = ends.flatMap((end) => end.items);
	return items.flatMap(({ json }) => (json.outcome === 'created' ? (idOf(json) ?? []) : []));
}

/** Lists the IDs of what was created, so that it can be found. */
function createdIn(run: Run): string | undefined {
	const ids = idsCreatedIn(run);
	const { created = 'created' } = run.resource;
	if (ids.length === 0) return undefined;
	return `${capitalized(created)}: ${asHtml(listed(ids, MAX_IDS))}`;
}

/** The hint about rows that failed, where the node goes on. */
function failuresHint(run: Run): string | undefined {
	const { rows, hasErrorOutput: isErrorOutput } = run;
	const failures = failuresIn(run);
	if (failures.length === 0) return undefined;
	if (rows.length === 1) {
		// In the other case it stands in the item itself.
		return isErrorOutput ? `The ${unitOf(rows)} failed and is on the error output.` : undefined;
	}
	const where = isErrorOutput
		? `The failed ${unitOf(rows)}s are on the error output, each with its reason.`
		: `Each failed ${unitOf(rows)} has its reason in the field "error".`;
	return sentences(summaryOf(run), where);
}

/** The hint about rows that were not all created, where none failed. */
function outcomesHint(run: Run): string | undefined {
	const isNoted = run.ends.some(({ outcome }) => outcome !== 'done');
	return isNoted && failuresIn(run).length === 0
		? `${successesOf(run, { isShort: true })}.`
		: undefined;
}

/** The hint about rows that were all only looked at, where none failed. */
function plannedHint(run: Run): string | undefined {
	if (forecastsIn(run).length < run.rows.length || failuresIn(run).length > 0) return undefined;
	return `Dry run, nothing was changed: ${plannedIn(run)}.`;
}

/** A time of a sheet may be hours off if nobody has set a time zone. */
const OTHER_ZONE =
	"If your times are not meant in UTC, set the time zone in the workflow's settings";
const isUtc = (zone: string) => ['UTC', 'Etc/UTC'].includes(zone);

/** How many shops the hint names. */
const MAX_SHOPS = 3;

/** "10 posts for 1 location (Bakery East) go live between Dec 3 and Dec 24, 2027 (Europe/Berlin)" */
function liveHint(run: Run): string | undefined {
	const { ends, zone, resource } = run;
	const lives = ends.flatMap(({ live }) => live ?? []);
	if (lives.length === 0) return undefined;
	const later = lives.flatMap(({ at }) => at ?? []);
	const atOnce = lives.length - later.length;
	const shops = new Map(lives.map(({ location: { id, name } }) => [id, name ?? id]));
	const posts = `${lives.length} ${resource.noun}${lives.length === 1 ? '' : 's'}`;
	const places = `${shops.size} location${shops.size === 1 ? '' : 's'}`;
	const all = `${posts} for ${places} (${listed([...shops.values()], MAX_SHOPS, '; ')})`;
	const go = (count: number) => (count === 1 ? 'goes' : 'go');
	if (later.length === 0) return `${all} ${go(lives.length)} live at once.`;
	const when = `${go(later.length)} live ${between(later, zone)} (${zone})`;
	const said =
		atOnce === 0 ? `${all} ${when}` : `${all}: ${later.length} ${when}, ${atOnce} at once`;
	return sentences(said, isUtc(zone) ? OTHER_ZONE : undefined);
}

/** "on Dec 24, 2027", "between Dec 3 and Dec 24, 2027" */
function between(instants: number[], zone: string): string {
	const sorted = [...instants].sort((a, b) => a - b);
	const [first, last] = [sorted[0], sorted[sorted.length - 1]].map((at) =>
		DateTime.fromMillis(at, { zone, locale: 'en' }),
	);
	if (first.hasSame(last, 'day')) return `on ${last.toFormat('MMM d, yyyy')}`;
	const start = first.toFormat(first.hasSame(last, 'year') ? 'MMM d' : 'MMM d, yyyy');
	return `between ${start} and ${last.toFormat('MMM d, yyyy')}`;
}

/** Says what a limit has left out: someone who sees 50 of 64 locations may take them for all. */
function moreHint({ ends, resource: { noun } }: Run): string | undefined {
	const cut = ends.filter(({ total }) => total);
	if (cut.length === 0) return undefined;
	// A location that failed is no record.
	const shown = cut.flatMap(({ items }) =>
		items.filter(({ json }) => !isRecord(json.error)),
	).length;
	const total = cut.reduce((sum, end) => sum + end.total!, 0);
	const of = total < Infinity ? ` of ${total} ${noun}s` : ` ${noun}s, and there may be more`;
	return `${shown}${of}. To get all of them, turn on 'Return All'.`;
}

/** Records of their own have IDs of their own; a mock, or a service that was reset, gives them again. */
function sameIdHint(run: Run): string | undefined {
	const counts = new Map<string, number>();
	for (const id of idsCreatedIn(run)) counts.set(id, (counts.get(id) ?? 0) + 1);
	const [[id, count] = ['', 0]] = [...counts].sort(([, a], [, b]) => b - a);
	if (count < 2) return undefined;
	return `${count} items came back with the same ID (${id}). Is this a mock, or was the service reset?`;
}

/** How many locations a hint lists. */
const MAX_LOCATIONS = 5;

/** The sentences of notes: those about several locations become one. */
export function sentencesOf(notes: Note[]): string[] {
	const bySentence = new Map<string, { say: Note['say']; names: Set<string> }>();
	for (const { say, of = '' } of notes) {
		const sentence = say('', 2);
		const known = bySentence.get(sentence) ?? { say, names: new Set() };
		known.names.add(of);
		bySentence.set(sentence, known);
	}
	return [...bySentence.values()].map(({ say, names }) =>
		say(listed([...names], MAX_LOCATIONS, '; '), names.size),
	);
}

function nothingFound(run: Run): string | undefined {
	const { resource, rows, ends } = run;
	const why = run.isFiltered ? WHY_FILTERED : resource.whyEmpty;
	const locations = new Set(ends.flatMap((end) => end.empty ?? []));
	// Tables name their locations, or say otherwise why there are no rows.
	const empty = rowsThat(
		run,
		({ items, empty: named, notes }) =>
			items.length === 0 && (!named || named.length + notes.length === 0),
	);
	if (empty.length === 0 && locations.size === 0) return undefined;
	const places = locations.size > 0 ? listed([...locations], MAX_LOCATIONS) : labelOf(rows, empty);
	const where = rows.length > 1 || locations.size > 0 ? ` for ${places}` : '';
	return `No ${resource.noun}s were found${where}. ${why ?? ''}`.trim();
}
