import type { JsonObject } from '../../client';
import { InputError } from '../../text/inputError';
import { asValue } from '../../text/words';
import type { Live } from '../outcome';
import { isBlank } from '../read/cells';
import { isSent, wholeValue } from '../read/mapping';
import type { Row } from '../read/row';
import { asPeopleRead, instantIn, shownTime } from '../read/when';
import type { SheetColumns } from '../learn/columns';
import type { AccountFields } from '../learn/fields';
import { givenBy } from '../learn/given';

/** Milliseconds. A row of a workflow that runs late is no mistake; an older time is. */
const LATE_AFTER = 86_400_000;

/** The fields of a row as the service gets them. */
export interface Body {
	body: JsonObject;
	/** The fields whose values were refused; what is wrong with them is noted. */
	refused: Set<string>;
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
		}, field);
		if (!fitted) refused.add(field);
		else if (fitted.value !== undefined) body[field] = fitted.value;
	}
	if (Object.keys(body).length === 0 && problems.error === undefined) {
		problems.add(
			new InputError(
				'There is nothing to send: every field is empty',
				'Fill a field, map the incoming data to the fields, or remove the row.',
			),
		);
	}
	return { body, refused };
}

/** The values of a row that are compared and not sent. */
export function comparedValues({ columns: row }: Row, { compared }: SheetColumns): JsonObject {
	const entries = compared.map(({ heading, field }) => [field, row[heading]] as const);
	return Object.fromEntries(entries.filter(([, value]) => !isBlank(value)));
}

/**
 * When a post goes live.
 *
 * @returns undefined for what is never published
 * @throws InputError for a row that has none, or one, against the parameter
 */
export function liveOf(row: Row, body: JsonObject): Live | undefined {
	const { publishTime: name, whenToPublish, zone } = row;
	if (whenToPublish === undefined || name === undefined) return undefined;
	const value = body[name];
	if (isBlank(value)) {
		if (whenToPublish !== 'scheduled') return {};
		throw new InputError(
			`${name} is empty, and a post without a time would go live at once`,
			`Enter a time. If the time stands in another field, name it in the option 'Publish Time Field'. Rows that are meant to go live at once go through a node of their own, with 'When to Publish' set to At Once.`,
		);
	}
	if (whenToPublish === 'now') {
		throw new InputError(
			`${name} is ${shownTime(value, zone)}, and 'When to Publish' is At Once`,
			"Set 'When to Publish' to At the Time in Each Row. Rows with and without a time go through two nodes.",
		);
	}
	const at = instantIn(zone, value);
	if (at !== undefined) return { at };
	throw new InputError(
		`${name}: ${asValue(value)} can't be read as a time`,
		'Give the field the type Date & Time.',
	);
}

/** @throws InputError for a new post whose time is over: one that exists already is skipped */
export function refuseOver({ publishTime, zone }: Row, live: Live | undefined, now: number): void {
	const { at = now } = live ?? {};
	if (at >= now - LATE_AFTER) return;
	const shown = asPeopleRead(at, zone);
	throw new InputError(
		`${publishTime} is over: ${shown}`,
		'Enter a later time, or remove the row.',
		{ fields: [publishTime!] },
	);
}

/** When a post goes live, for people. */
export function livesAt({ at }: Live, zone: string, now: number): string {
	if (at === undefined) return 'at once';
	const shown = asPeopleRead(at, zone);
	return at > now ? shown : `at once, since its time is over: ${shown}`;
}
