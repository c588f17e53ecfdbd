import { isAheadOf } from '../../client';
import { listed, sentences } from '../../text/words';
import type { Explained } from '../item';
import { Question } from '../outcome';
import { isBlank } from '../read/cells';
import { orderQuestion } from '../read/dateOrder';
import type { Row } from '../read/row';
import { headingKey } from '../read/sheet';
import { inSlices } from '../slices';
import { noneShows, type SheetColumns } from './columns';
import type { AccountFields } from './fields';
import { givenBy } from './given';

// Questions about a whole run, once and before anything is sent.

/** How many names of fields a message lists. */
const MAX_NAMES = 20;

/**
 * @param isRepeat true if an earlier try has sent some rows
 * @throws Question with all that has to be settled
 */
export function ask(questions: Explained[], isRepeat: boolean): void {
	if (questions.length === 0) return;
	const [first] = questions;
	throw new Question(
		questions.length === 1 ? first.message : sentences(...questions.map(({ message }) => message)),
		sentences(
			isRepeat ? 'Nothing more was sent' : 'Nothing was sent',
			...questions.map(({ description }) => description),
		),
	);
}

/** The settings that hold for a whole run, and their names in the panel. */
const FOR_ALL = {
	isDryRun: 'Dry Run',
	whenToPublish: 'When to Publish',
	acceptsIncomplete: 'Accept Incomplete Lists',
	dateOrder: 'Date Order',
	excluded: 'Exclude Columns',
	ignoresExtraColumns: 'Ignore Extra Columns',
	matchFields: 'Match Fields',
	publishTime: 'Publish Time Field',
} as const;

/** The questions about the settings of a run: an expression may say something else for each row. */
export function settingQuestions(rows: Row[]): Explained[] {
	const differing = Object.entries(FOR_ALL).flatMap(([name, label]) => {
		const valueIn = (row: Row) => String(row[name as keyof typeof FOR_ALL]);
		const usual = valueIn(rows[0]);
		if (rows.every((row) => valueIn(row) === usual)) return [];
		const description = `Give '${label}' one value for all rows.`;
		return { message: `'${label}' differs between rows`, description };
	});
	return [...differing, ...publishQuestions(rows)];
}

/** When posts go live is chosen: a default would publish what nobody has looked at. */
function publishQuestions(rows: Row[]): Explained[] {
	const undecided = rows.find(({ whenToPublish }) => whenToPublish === '');
	if (!undecided) return [];
	return [
		{
			message: "'When to Publish' is not chosen",
			description: undecided.isTool
				? 'Ask the person who has set up this tool to choose when posts go live: scheduled, or now.'
				: "Choose At the Time in Each Row, or At Once. An expression gives 'scheduled' or 'now'.",
		},
	];
}

/** The questions about match fields whose expressions come out empty in each of several rows: they read nothing. */
export function emptyMatchQuestions(rows: Row[], matchFields: string[]): Explained[] {
	if (rows.length < 2) return [];
	const keys = new Set(matchFields.map(headingKey));
	const given = ({ mapping }: Row) => [...mapping.mapped, ...mapping.added];
	const isEmptyIn = (row: Row, name: string) =>
		given(row).every(
			({ field, value, isBroken }) => field !== name || (isBlank(value) && !isBroken),
		);
	return given(rows[0]).flatMap(({ field, isExpression }) => {
		const isLost =
			isExpression && keys.has(headingKey(field)) && rows.every((row) => isEmptyIn(row, field));
		if (!isLost) return [];
		return {
			message: `${field}: the expression is empty in each of the ${rows.length} rows`,
			description: `Rows are told apart by ${field}. Map it to a column that your rows have, or leave it out.`,
		};
	});
}

/** The questions about additional fields whose names are spelled otherwise than a field. */
export function misnamedQuestions([row]: Row[], account: AccountFields): Explained[] {
	const declared = new Map(row.resource.fields.map(({ id }) => [headingKey(id), id]));
	const names = new Set(row.mapping.added.map(({ field }) => field));
	const options = row.isPublishTimeChosen ? [row.publishTime!] : [];
	const misnamed = (label: string) => (name: string) => {
		const key = headingKey(name);
		const known = account.fieldFor(key) ?? declared.get(key) ?? name;
		if (known === name || account.seen.has(name)) return [];
		const message = `'${label}' has ${name}, and the service calls it ${known}`;
		return [{ message, description: `Write ${known}.` }];
	};
	return [
		...[...names].flatMap(misnamed('Additional Fields')),
		...options.flatMap(misnamed('Publish Time Field')),
	];
}

/** The questions about the field with the time to publish: a time in another one could publish a post at once. */
export async function publishTimeQuestions(
	rows: Row[],
	account: AccountFields,
	columns: SheetColumns,
	now: number,
): Promise<Explained[]> {
	const [row] = rows;
	const { publishTime, isPublishTimeChosen, whenToPublish, resource, zone, dateOrder: order } = row;
	const usual = resource.publishTime;
	if (publishTime === undefined || usual === undefined) return [];
	const isPossible = (name: string) => account.mayBeTime(name);
	const possible = timeFields(row, account, columns, isPossible);
	const times = new Set([...possible, publishTime, usual]);
	const values = new Map<string, Set<unknown>>();
	for (const { field, value } of valuesIn(rows, columns, times)) {
		if (!isBlank(value)) values.set(field, (values.get(field) ?? new Set()).add(value));
	}
	const valuesOf = (name: string) => values.get(name) ?? new Set();
	if (isPublishTimeChosen) {
		const isElsewhere =
			publishTime !== usual && !account.seen.has(usual) && valuesOf(usual).size > 0;
		if (!isElsewhere) return [];
		const message = `The time stands in ${usual}, and 'Publish Time Field' is ${publishTime}`;
		return [{ message, description: `Map the time to ${publishTime} in place of ${usual}.` }];
	}
	const isAhead = (name: string) => (value: unknown) => {
		try {
			return isAheadOf(account.fitted(name, value, { type: 'dateTime', zone, order }), now);
		} catch {
			// Its row is refused by name and value.
			return false;
		}
	};
	const others: string[] = [];
	for (const name of possible) {
		const all = name === publishTime ? [] : [...valuesOf(name)];
		const isShown = all.length > 0 && account.showsAhead(name, now);
		if (isShown || (await inSlices(all, isAhead(name))).includes(true)) others.push(name);
	}
	const isUnshown = account.count > 0 && !account.seen.has(publishTime);
	const isAdded = row.mapping.added.some(({ field }) => field === publishTime);
	const name = "Name the field with the time to publish in the option 'Publish Time Field'.";
	if (others.length > 0) {
		const fields = [...(isUnshown ? [] : [publishTime]), ...others];
		return [
			{
				message: `A time to come stands in ${listed(others, MAX_NAMES)}`,
				description: `${name} It is one of: ${listed(fields, MAX_NAMES)}.`,
			},
		];
	}
	if (!isUnshown || isAdded || whenToPublish === 'now') return [];
	return [
		{
			message: `${noneShows(account, resource.noun)} a field ${publishTime}`,
			description: `A post with its time there could go live at once. They show: ${listed([...account.seen], MAX_NAMES)}. ${name}`,
		},
	];
}

/** What rows give to some fields; a sheet may have many more columns. */
function* valuesIn(rows: Row[], columns: SheetColumns, fields: Set<string>) {
	const isOne = ({ field }: { field: string }) => fields.has(field);
	const some = { ...columns, sent: columns.sent.filter(isOne) };
	for (const row of rows) yield* givenBy(row, some).filter(isOne);
}

/** Names of the fields of a run that are read as times. */
function timeFields(
	{ mapping }: Row,
	account: AccountFields,
	{ sent }: SheetColumns,
	isTime = (name: string) => account.isTime(name),
): string[] {
	const given = [...mapping.mapped, ...mapping.added, ...sent];
	const isTimed = (one: { field: string; type?: string }) =>
		one.type === 'dateTime' || isTime(one.field);
	return [...new Set(given.filter(isTimed).map(({ field }) => field))];
}

/** The question about dates in both orders: those of a run are written by one person. */
export function orderQuestions(
	rows: Row[],
	account: AccountFields,
	columns: SheetColumns,
): Explained[] {
	const times = new Set(timeFields(rows[0], account, columns));
	if (times.size === 0) return [];
	const values = [...valuesIn(rows, columns, times)].map(({ value }) => value);
	const question = orderQuestion(values, rows[0].dateOrder);
	return question ? [question] : [];
}
