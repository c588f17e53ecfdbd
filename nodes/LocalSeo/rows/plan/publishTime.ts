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

const hasValue = (row: Row, columns: SheetColumns, name: string): boolean =>
	givenBy(row, columns).some(({ field, value }) => field === name && !isBlank(value));

/** The question about a time in a field that no record shows: the post could go live at once. */
export function publishTimeQuestions(
	{ rows }: Batch,
	account: AccountFields,
	columns: SheetColumns,
): Explained[] {
	const [row] = rows;
	const { publishTime, isPublishTimeChosen, whenToPublish, resource } = row;
	const usual = resource.publishTime;
	const isFilled = (name: string) => rows.some((one) => hasValue(one, columns, name));
	if (publishTime === undefined || usual === undefined) return [];
	if (publishTime !== usual && !account.seen.has(usual) && isFilled(usual)) {
		return [
			{
				message: `The time stands in ${usual}, and 'Publish Time Field' is ${publishTime}`,
				description: `Map the time to ${publishTime} in place of ${usual}.`,
			},
		];
	}
	if (account.count === 0 || account.seen.has(publishTime)) return [];
	// Additional Fields are sent as the user says.
	const isAdded = (name: string) => row.mapping.added.some(({ field }) => field === name);
	if (isAdded(publishTime)) return [];
	// A column that is no field may still be the time.
	const isLeftOut = columns.unsent.some((one) => headingKey(one) === headingKey(publishTime));
	const message = `${noneShows(account, resource.noun)} a field ${publishTime}`;
	if (whenToPublish === 'now' && !isPublishTimeChosen) {
		if (!isLeftOut) return [];
		const description = `Posts go live at once, whatever the column says. If that is meant, name ${publishTime} in 'Exclude Columns'; if not, set 'When to Publish' to At the Time in Each Row.`;
		return [{ message, description }];
	}
	const times = timeFields(row, account, columns).filter((name) => !isAdded(name));
	const hasTimes = isLeftOut || times.some(isFilled);
	if (!hasTimes && !isPublishTimeChosen && whenToPublish !== 'scheduled') return [];
	return [
		{
			message,
			description: `A post with its time there could go live at once. They show: ${listed([...account.seen], MAX_NAMES)}. Name the one with the time to publish in the option 'Publish Time Field'. ${unshownAdvice(row)} If all posts are to go live at once, set 'When to Publish' to At Once.`,
		},
	];
}

/** The advice for a service that takes the time without showing it: all that has to be set. */
export function unshownAdvice({ publishTime, ifExists, resource, matchFields }: Row): string {
	const compared = matchFields.filter((name) => name !== publishTime);
	const names = compared.length > 0 ? compared : resource.matchFields!;
	// The time can't be compared where no record shows it.
	const isCompared = matchFields.length === 0 || compared.length < matchFields.length;
	const match =
		ifExists !== 'create' && isCompared ? `, and set 'Match Fields' to ${names.join(', ')}` : '';
	return `If your service takes ${publishTime} without showing it, send it in the option 'Additional Fields'${match}.`;
}

/** Names of the fields of a run that are read as times. */
function timeFields({ mapping }: Row, account: AccountFields, { sent }: SheetColumns): string[] {
	const given = [...mapping.mapped, ...mapping.added, ...sent];
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
