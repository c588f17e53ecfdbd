import { isDeepStrictEqual } from 'node:util';

import type { Fields } from '../../../../dev/sandbox/account';
import type { TriggerEvent } from '../../../../nodes/LocalSeo/trigger/events';
import type { World } from './dimensions';
import type { List, Memory } from './memory';
import { ExpectedPoll } from './model';
import type { Service } from './service';

/** A poll that takes longer may leave something to the next one (ms). */
const HURRY = 9_000;

/**
 * Compares each poll with what it should have come to by the lists that the service has shown to it
 * (model.ts). Besides, a list has to be read in the poll in which its location shows a change, and in
 * the end, all that is remembered has to be what is there.
 */
export class Judge {
	readonly wrong: string[] = [];
	readonly count = { events: 0, polls: 0, failed: 0, checked: 0 };
	/** The process should know this, and n8n should have saved that; undefined: nothing. */
	memory?: Memory;
	saved?: Memory;
	chosen: string[];

	constructor(
		private readonly world: World,
		private readonly service: Service,
	) {
		this.chosen = world.events;
	}

	flaw(text: string): void {
		this.wrong.push(text);
	}

	take(events: TriggerEvent[], tookMs: number, isRemembered: boolean, picked: unknown[]): void {
		this.count.polls++;
		this.count.events += events.length;
		if (!isRemembered) this.count.failed++;
		if (!isRemembered) return;
		const { memory, chosen, world, service } = this;
		const expected = new ExpectedPoll(memory, { chosen, picked }, world, service, events);
		this.memory = expected.memory;
		const isSure = ({ keyword }: TriggerEvent) => !expected.unsure.has(keyword?.id);
		const [told, due] = [events.filter(isSure), expected.events].map((some) => some.map(textOf));
		for (const text of without(told, due)) this.flaw(`told, and did not happen: ${text}`);
		for (const text of without(due, told)) this.flaw(`not told: ${text}`);
		if (tookMs > HURRY || !service.isCalm) return;
		for (const list of expected.overdue) this.flaw(`not read, though it has changed: ${list}`);
	}

	finish(): void {
		const { service } = this;
		const { listing, locations } = this.memory!;
		this.check(listing, service.list('locations'));
		for (const location of service.list('locations')) {
			if (service.isTroubled && location.id === service.first.id) continue;
			const { posts, keywords } = locations.get(location.id) ?? {};
			this.check(posts, service.list('posts', location));
			this.check(keywords, service.list('keywords', location));
		}
	}

	private check(known: List | undefined, records: Fields[]): void {
		if (!known) return;
		this.count.checked++;
		const listed = [...known.values()].filter(({ isMissing }) => !isMissing);
		const [was, is] = [listed.map(({ record }) => record), records].map((all) => new Set(all));
		if (!isDeepStrictEqual(was, is))
			this.flaw(`not known in the end: ${JSON.stringify(records[0])}`);
	}
}

const MEMBERS = ['event', 'record', 'before', 'change', 'location', 'keyword'] as const;
const textOf = (event: TriggerEvent) =>
	JSON.stringify([...MEMBERS.map((name) => event[name]), event.changed.toSorted()]);

/** The texts without as many of the others, each once. */
function without(texts: string[], others: string[]): string[] {
	const left = [...others];
	return texts.filter((text) => {
		const place = left.indexOf(text);
		if (place >= 0) left.splice(place, 1);
		return place < 0;
	});
}
