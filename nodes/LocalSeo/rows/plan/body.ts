import { instantOfIso, type JsonObject, textOf } from '../../client';
import { InputError } from '../../text/inputError';
import type { Publishing } from '../outcome';
import { isBlank } from '../read/cells';
import { type FilledIn, isSent, wholeValue } from '../read/mapping';
import type { Row } from '../read/row';
import { asPeopleRead, shownTime } from '../read/when';
import type { SheetColumns } from '../learn/columns';
import type { AccountFields } from '../learn/fields';

/** Milliseconds. A row of a workflow that runs late is no mistake; an older time is. */
const LATE_AFTER = 86_400_000;

/** The fields of a row as the service gets them. */
export interface Body {
	body: JsonObject;
	/** The fields whose values were refused; what is wrong with them is noted. */
	refused: Set<string>;
}

/** A value that a row gives to a field: of the mapper, of an additional field, or a cell as it came. */
interface Given extends Pick<FilledIn, 'field' | 'value' | 'type' | 'isBroken'> {
	isCell?: boolean;
}

/** The values of a row, from whichever source; Additional Fields replace the others. Some are blank. */
function givenBy({ mapping, columns }: Row, { sent }: SheetColumns): Given[] {
	const cells = sent.map(({ heading, field }): Given => {
		return { field, value: columns[heading], isCell: true, isBroken: false };
	});
	const added = mapping.added.filter((one) => isSent(one) || one.isBroken);
	const others: Given[] = mapping.isAutomatic ? cells : mapping.mapped;
	const isReplaced = ({ field }: Given) => added.some((one) => one.field === field);
	return [...others.filter((one) => !isReplaced(one)), ...added];
}

/** Makes the body of a row; what is wrong with one of its values is noted. */
export function bodyOf(row: Row, account: AccountFields, columns: SheetColumns): Body {
	const { problems, zone, dateOrder: order } = row;
	const body: JsonObject = {};
	const refused = new Set<string>();
	for (const given of givenBy(row, columns)) {
		const { field, type, isCell, isBroken } = given;
		if (isBroken) refused.add(field);
		if (!isSent(given)) continue;
		const fitted = problems.noting(() => {
			const plain = isCell ? wholeValue(given) : given.value;
			return { value: account.fitted(field, plain, { type, zone, order }) };
		});
		if (!fitted) refused.add(field);
		else if (fitted.value !== undefined) body[field] = fitted.value;
	}
	if (Object.keys(body).length === 0 && problems.error === undefined) {
		problems.note(
			new InputError(
				'There is nothing to send: every field is empty',
				'Fill a field, map the incoming data to the fields, or remove the row.',
			),
		);
	}
	return { body, refused };
}

/**
 * When a post goes live.
 *
 * @returns undefined for what is never published
 * @throws InputError for a row that has none, or one, against the parameter
 */
export function liveOf(row: Row, body: JsonObject): Publishing | undefined {
	const { publishTime: name, whenToPublish, zone, resource } = row;
	if (whenToPublish === undefined || name === undefined) return undefined;
	if (whenToPublish === '') {
		throw new InputError(
			"'When to Publish' is not chosen",
			"Choose At the Time in Each Row, or At Once. An expression gives 'scheduled' or 'now'.",
		);
	}
	const isUnnamed = isBlank(body[name]) && whenToPublish === 'now';
	const value = body[isUnnamed ? (resource.publishTime ?? name) : name];
	if (isBlank(value)) {
		if (whenToPublish !== 'scheduled') return {};
		throw new InputError(
			`${name} is empty, and a post without a time would go live at once`,
			"Enter a time, or set 'When to Publish' to At Once for this row, by an expression.",
		);
	}
	if (whenToPublish === 'now') {
		throw new InputError(
			`The time is ${shownTime(value, zone)}, and 'When to Publish' is At Once`,
			"Set 'When to Publish' to At the Time in Each Row, by an expression if only some rows have one.",
		);
	}
	return { at: instantOfIso(textOf(value)) };
}

/** @throws InputError for a new post whose time is over: one that exists already is skipped */
export function refuseOver(
	{ publishTime, zone }: Row,
	live: Publishing | undefined,
	now: number,
): void {
	const { at = now } = live ?? {};
	if (at >= now - LATE_AFTER) return;
	const shown = asPeopleRead(at, zone);
	throw new InputError(
		`${publishTime} is over: ${shown}`,
		'Enter a later time, or remove the row.',
	);
}

/** When a post goes live, for people. */
export function livesAt({ at }: Publishing, zone: string, now: number): string {
	if (at === undefined) return 'at once';
	const shown = asPeopleRead(at, zone);
	return at > now ? shown : `at once, since its time is over: ${shown}`;
}
