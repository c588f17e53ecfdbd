import { DateTime } from 'luxon';

import type { JsonObject } from '../../client';
import { InputError } from '../../text/inputError';
import type { Live } from '../outcome';
import { isBlank, plainValue, refuseBroken } from '../read/cells';
import { isSent } from '../read/mapping';
import type { Row } from '../read/row';
import { asPeopleRead } from '../read/time';
import type { Ready } from './asked';
import { instantOfText } from './fields';

/** Milliseconds. A row of a workflow that runs late is no mistake; an older time is. */
const LATE_AFTER = 86_400_000;

/** The fields of a row as the service gets them; what is wrong with one of them is noted. */
export function bodyOf(row: Row, { account, columns }: Ready): JsonObject {
	const { mapping, problems, zone, dateOrder: order } = row;
	const body: JsonObject = {};
	const fit = (field: string, value: unknown, type?: string) =>
		problems.noting(() => account.fitted(field, value, { type, zone, order }));
	const set = (field: string, value: unknown) => {
		if (value !== undefined) body[field] = value;
	};
	const added = (mapping?.added ?? []).filter(isSent);
	const isAdded = (field: string) => added.some((one) => one.field === field);
	if (mapping?.isAutomatic) {
		for (const { heading, field } of columns.sent) {
			const cell = row.columns[heading];
			if (isBlank(cell) || isAdded(field)) continue;
			const value = problems.noting(() => {
				refuseBroken(field, cell);
				return plainValue(field, cell);
			});
			if (value !== undefined) set(field, fit(field, value));
		}
	}
	for (const { field, value, type } of [...(mapping?.mapped ?? []).filter(isSent), ...added]) {
		set(field, fit(field, value, type));
	}
	if (Object.keys(body).length === 0 && problems.error === undefined) {
		problems.add({
			message: 'There is nothing to send: every field is empty',
			description: 'Fill a field, map the incoming data to the fields, or remove the row.',
		});
	}
	return body;
}

/** The values of a row that are compared and not sent. */
export function comparedValues({ columns: row }: Row, { columns }: Ready): JsonObject {
	const entries = columns.compared.map(({ heading, field }) => [field, row[heading]] as const);
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
			`Enter a time. If the time stands in another field, name it in the option 'Publish Time Field'. If rows without a time are meant to go live at once, set 'When to Publish' to At Its Time, or at Once Without One.`,
		);
	}
	const isDay = /^\d{4}-\d\d-\d\d$/.test(String(value));
	const at = isDay ? DateTime.fromISO(String(value), { zone }).toMillis() : instantOfText(value);
	const shown = at === undefined ? String(value) : asPeopleRead(at, zone);
	if (whenToPublish === 'now') {
		throw new InputError(
			`${name} is ${shown}, and 'When to Publish' is At Once`,
			"Set 'When to Publish' to At the Time in Each Row.",
		);
	}
	return { at };
}

/** @throws InputError for a new post whose time is over: one that exists already is skipped */
export function refuseOver({ publishTime, zone }: Row, live: Live | undefined, now: number): void {
	const { at = now } = live ?? {};
	if (at >= now - LATE_AFTER) return;
	const shown = asPeopleRead(at, zone);
	throw new InputError(
		`${publishTime} is over: ${shown}`,
		'Enter a later time, or remove the row.',
	);
}

/** When a post goes live, for people. */
export function livesAt({ at }: Live, zone: string, now: number): string {
	if (at === undefined) return 'at once';
	const shown = asPeopleRead(at, zone);
	return at > now ? shown : `at once, since its time is over: ${shown}`;
}
