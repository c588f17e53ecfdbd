import { listed } from '../../text/words';
import type { Batch } from '../batch';
import type { Explained } from '../item';
import { isBlank } from '../read/cells';
import { orderQuestion } from '../read/dateOrder';
import type { Row } from '../read/row';
import { headingKey } from '../read/sheet';
import { noneShows, type SheetColumns } from './columns';
import type { AccountFields } from './fields';
import { givenBy } from './given';

// The questions about the times of a run.

/** How many names of fields a message lists. */
const MAX_NAMES = 20;

/** True if a row says nothing of when to publish. */
export const isBlankTime = (row: Row, columns: SheetColumns): boolean =>
	!hasValue(row, columns, row.publishTime ?? '');

const hasValue = (row: Row, columns: SheetColumns, name: string): boolean =>
	givenBy(row, columns).some(({ field, value }) => field === name && !isBlank(value));

/** The question about a time in a field that no record shows: the post could go live at once. */
export function publishTimeQuestions(
	{ rows }: Batch,
	account: AccountFields,
	columns: SheetColumns,
): Explained[] {
	const [{ publishTime, isPublishTimeChosen, whenToPublish, resource, mapping, sheet, excluded }] =
		rows;
	if (publishTime === undefined || account.count === 0 || account.seen.has(publishTime)) return [];
	// Additional Fields are sent as the user says.
	const isAdded = (name: string) => mapping?.added.some(({ field }) => field === name) === true;
	if (isAdded(publishTime)) return [];
	const times = timeFields(rows[0], account, columns).filter((name) => !isAdded(name));
	// A column that is ignored as no field may still be the time.
	const isLeftOut = (heading: string) =>
		headingKey(heading) === headingKey(publishTime) && !excluded.includes(heading);
	const hasTimes =
		times.some((name) => rows.some((row) => hasValue(row, columns, name))) ||
		(mapping?.isAutomatic === true && sheet.ownColumns.some(isLeftOut));
	if (!hasTimes && !isPublishTimeChosen && whenToPublish !== 'scheduled') return [];
	const atOnce = "If all posts are to go live at once, set 'When to Publish' to At Once.";
	return [
		{
			message: `${noneShows(account, resource.noun)} a field ${publishTime}`,
			description: `A post with its time there could go live at once. They show: ${listed([...account.seen], MAX_NAMES)}. Name the one with the time to publish in the option 'Publish Time Field'. ${unshownAdvice(rows[0])}${whenToPublish === 'now' ? '' : ` ${atOnce}`}`,
		},
	];
}

/** The advice for a service that takes the time without showing it: all that has to be set. */
export function unshownAdvice({ publishTime, ifExists, resource, matchFields }: Row): string {
	const isCompared = ifExists !== 'create' && matchFields.length === 0;
	const usual = resource.matchFields?.join(', ');
	const match = isCompared ? `, and set 'Match Fields' to ${usual}` : '';
	return `If your service takes ${publishTime} without showing it, send it in the option 'Additional Fields'${match}.`;
}

/** Names of the fields of a run that are read as times. */
function timeFields({ mapping }: Row, account: AccountFields, { sent }: SheetColumns): string[] {
	const given = [...(mapping?.mapped ?? []), ...(mapping?.added ?? []), ...sent];
	const isTimed = (one: { field: string; type?: string }) =>
		one.type === 'dateTime' || account.isTime(one.field);
	return [...new Set(given.filter(isTimed).map(({ field }) => field))];
}

/** The question about dates in both orders: those of a run are written by one person. */
export function orderQuestions(
	{ rows }: Batch,
	account: AccountFields,
	columns: SheetColumns,
): Explained[] {
	const times = timeFields(rows[0], account, columns);
	if (times.length === 0) return [];
	const values = rows.flatMap((row) =>
		givenBy(row, columns).flatMap(({ field, value }) => (times.includes(field) ? [value] : [])),
	);
	const question = orderQuestion(values, rows[0].dateOrder);
	return question ? [question] : [];
}
