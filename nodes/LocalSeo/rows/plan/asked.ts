import { isEmpty, ServiceError } from '../../client';
import type { Connected } from '../../host/connect';
import { someRecords } from '../../lookup';
import { type Resource, takes } from '../../resources';
import { InputError } from '../../text/inputError';
import { listed, sentences } from '../../text/words';
import type { Batch } from '../batch';
import type { Explained } from '../item';
import { isBlank } from '../read/cells';
import { orderQuestion } from '../read/dateOrder';
import { columnsRead, expressionOf, saysWhatEmptyMeans } from '../read/expressions';
import { type FilledIn, isSent, neededFields } from '../read/mapping';
import type { Row } from '../read/row';
import { headingKey } from '../read/sheet';
import { columnsOf, noneShows, type SheetColumns } from './columns';
import { existingOf } from './existing';
import { AccountFields } from './fields';
import { addressed } from './location';

/** The fields and columns of a run: it has to know them before any row is sent. */
export interface Ready {
	account: AccountFields;
	columns: SheetColumns;
}

/** The question about a run: it concerns all rows, and nothing was sent. */
export class Question extends InputError {}

/**
 * Finds out which fields the account has and which columns of the run are fields, once for all rows.
 *
 * @throws Question with all that has to be settled before anything is sent; ServiceError if the account
 * can't be read
 */
export async function askOnce(batch: Batch, connection: Connected): Promise<Ready> {
	return await batch.once(['ready'], async () => {
		const [row] = batch.rows;
		const account = await accountFields(batch, connection);
		const columns = columnsOf(row, account);
		const isAutomatic = row.mapping?.isAutomatic === true;
		const questions = [
			...(isAutomatic ? columns.questions : missingColumns(row)),
			...publishTimeQuestions(batch, account, columns),
			...orderQuestions(batch, account, columns),
		];
		if (questions.length === 0) return { account, columns };
		questions.push(...missingLocation(row));
		throw new Question(
			questions.length === 1
				? questions[0].message
				: sentences(...questions.map(({ message }) => message)),
			sentences('Nothing was sent', ...questions.map(({ description }) => description)),
		);
	});
}

/** One sample for a run, so that it does not matter whose list answers first. */
async function accountFields(batch: Batch, connection: Connected): Promise<AccountFields> {
	const [row] = batch.rows;
	const { resource, ifExists, operation, publishTime } = row;
	const ids = await locationIdsOf(batch, connection);
	// The lists that rows are compared with are read anyway.
	const isCompared = ifExists !== 'create' && operation.routing.request.method === 'POST';
	const read = async (locationId?: string) => {
		const ids: Record<string, string> = locationId === undefined ? {} : { locationId };
		const request = { ...row.request, ids };
		return (await existingOf(row, request, batch, connection)).records;
	};
	const records = await someRecords(connection, resource, ids, isCompared ? read : undefined);
	return new AccountFields(resource, records, publishTime);
}

/** The locations of the rows; a row whose location is not known is refused by itself. */
async function locationIdsOf(batch: Batch, connection: Connected): Promise<string[]> {
	const ids = await Promise.all(
		batch.rows.map(async (row) => {
			const request = await addressed(row, batch, connection).catch((error: unknown) => {
				if (error instanceof ServiceError) throw error;
				return undefined;
			});
			return request?.ids.locationId ?? '';
		}),
	);
	return ids.filter((id) => id !== '');
}

/** The question about an expression in Location that reads a column which no row has. */
function missingLocation({ panel, sheet }: Row): Explained[] {
	const expression = expressionOf({ panel }, 'locationId');
	const missing = columnsRead(expression).find((column) => !sheet.has(column));
	if (missing === undefined || saysWhatEmptyMeans(expression)) return [];
	const description = `${sheet.insteadOf(missing)} Correct the expression in 'Location'.`;
	return [{ message: `Location: there is no column "${missing}"`, description }];
}

/** The questions about expressions that read a column which no row has. */
function missingColumns({ mapping, sheet, resource, operation, ...row }: Row): Explained[] {
	const needed =
		takes('ifExists')(operation) || operation.updatesBy !== undefined
			? neededFields(resource as Resource, row)
			: [];
	const isNeeded = ({ field, type }: FilledIn) => needed.includes(field) || type === 'dateTime';
	return (mapping?.mapped ?? []).filter(isNeeded).flatMap(({ field, expression }) => {
		if (saysWhatEmptyMeans(expression)) return [];
		const missing = columnsRead(expression).find((column) => !sheet.has(column));
		if (missing === undefined) return [];
		return {
			message: `${field}: there is no column "${missing}"`,
			description: `${sheet.insteadOf(missing)} Correct the expression. If all cells of the column may be empty, say so: {{ $json[${JSON.stringify(missing)}] ?? '' }}.`,
		};
	});
}

/** The values that a row would send in a field, from whichever source. */
function valuesFor(row: Row, { sent }: SheetColumns, field: string): unknown[] {
	const { mapping, columns } = row;
	const added = mapping?.added.filter((one) => one.field === field && isSent(one)) ?? [];
	if (added.length > 0) return added.map(({ value }) => value);
	if (!mapping?.isAutomatic) {
		return (mapping?.mapped ?? []).filter((one) => one.field === field).map(({ value }) => value);
	}
	return sent.filter((one) => one.field === field).map(({ heading }) => columns[heading]);
}

/** True if a row says nothing of when to publish. */
export const isBlankTime = (row: Row, { columns }: Ready): boolean =>
	valuesFor(row, columns, row.publishTime ?? '').every(isBlank);

/** A time in a field that no record shows: the post could go live at once. */
function publishTimeQuestions(
	{ rows }: Batch,
	account: AccountFields,
	columns: SheetColumns,
): Explained[] {
	const [{ publishTime, isPublishTimeChosen, whenToPublish, resource, mapping }] = rows;
	if (publishTime === undefined || account.count === 0 || account.seen.has(publishTime)) return [];
	// Additional Fields are sent as the user says.
	const isAdded = (name: string) => mapping?.added.some(({ field }) => field === name) === true;
	if (isAdded(publishTime)) return [];
	const times = timeFields(rows[0], account, columns).filter((name) => !isAdded(name));
	const { sheet, excluded } = rows[0];
	const isNamed = (heading: string) => headingKey(heading) === headingKey(publishTime);
	const hasTimes =
		times.some((name) => rows.some((row) => !valuesFor(row, columns, name).every(isBlank))) ||
		// A column that is ignored as no field may still be the time.
		(mapping?.isAutomatic === true &&
			sheet.ownColumns.some((one) => isNamed(one) && !excluded.includes(one)));
	if (!hasTimes && !isPublishTimeChosen && whenToPublish !== 'scheduled') return [];
	return [
		{
			message: `${noneShows(account, resource.noun)} a field ${publishTime}`,
			description: `A post with its time there could go live at once. They show: ${listed([...account.seen], 20)}. Name the one with the time to publish in the option 'Publish Time Field'. If your service takes ${publishTime} without showing it, send it in the option 'Additional Fields'.${whenToPublish === 'now' ? '' : " If all posts are to go live at once, set 'When to Publish' to At Once."}`,
		},
	];
}

/** Names of the fields of a run that are read as times. */
function timeFields({ mapping }: Row, account: AccountFields, { sent }: SheetColumns): string[] {
	const given = [...(mapping?.mapped ?? []), ...(mapping?.added ?? []), ...sent];
	const isTimed = (one: { field: string; type?: string }) =>
		one.type === 'dateTime' || account.isTime(one.field);
	return [...new Set(given.filter(isTimed).map(({ field }) => field))];
}

/** The dates of a run are written by one person: both orders in one run are a mistake. */
function orderQuestions(
	{ rows }: Batch,
	account: AccountFields,
	columns: SheetColumns,
): Explained[] {
	const values = timeFields(rows[0], account, columns).flatMap((name) =>
		rows.flatMap((row) => valuesFor(row, columns, name).filter((value) => !isEmpty(value))),
	);
	const question = orderQuestion(values, rows[0].dateOrder);
	return question ? [question] : [];
}
