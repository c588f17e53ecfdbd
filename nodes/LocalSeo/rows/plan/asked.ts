import { ServiceError } from '../../client';
import type { Connected } from '../../host/connect';
import { someRecords } from '../../lookup';
import { InputError } from '../../text/inputError';
import { sentences } from '../../text/words';
import type { Batch } from '../batch';
import type { Explained } from '../item';
import {
	expressionOf,
	pathsRead,
	saysWhatEmptyCellMeans,
	saysWhatEmptyMeans,
} from '../read/expressions';
import type { Row } from '../read/row';
import { headingKey, type Sheet } from '../read/sheet';
import { columnsOf, type SheetColumns } from './columns';
import { existingOf } from './existing';
import { AccountFields } from './fields';
import { addressed } from './location';
import { orderQuestions, publishTimeQuestions } from './publishTime';

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
		const questions = [
			...differingOptions(batch),
			...columns.questions,
			...missingColumns(row),
			...misnamedFields(row, account),
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

/** The options that hold for a whole run, and their names in the panel. */
const FOR_ALL = {
	acceptsIncomplete: 'Accept Incomplete Lists',
	dateOrder: 'Date Order',
	excluded: 'Exclude Columns',
	ignoresExtraColumns: 'Ignore Extra Columns',
	matchFields: 'Match Fields',
	publishTime: 'Publish Time Field',
} as const;

/** The questions about options whose expressions say something else for each row. */
function differingOptions({ rows }: Batch): Explained[] {
	return Object.entries(FOR_ALL).flatMap(([name, label]) => {
		const values = rows.map((row) => String(row[name as keyof typeof FOR_ALL]));
		if (new Set(values).size < 2) return [];
		const description = `Give '${label}' one value for all rows.`;
		return { message: `The option '${label}' differs between rows`, description };
	});
}

function missingIn(sheet: Sheet, expression: unknown) {
	const missing = pathsRead(expression).map((path) => sheet.missing(path));
	return missing.find((one) => one !== undefined);
}

/** The question about an expression in Location that reads a column which no row has. */
function missingLocation({ panel, sheet }: Row): Explained[] {
	const expression = expressionOf({ panel }, 'locationId');
	const missing = missingIn(sheet, expression);
	if (missing === undefined || saysWhatEmptyCellMeans(expression)) return [];
	const description = `${missing.advice} Correct the expression in 'Location'.`;
	return [{ message: `Location: there is no column "${missing.name}"`, description }];
}

/** The questions about additional fields whose names are spelled otherwise than a field of the account. */
function misnamedFields({ mapping }: Row, account: AccountFields): Explained[] {
	const names = new Set(mapping.added.map(({ field }) => field));
	return [...names].flatMap((name) => {
		const known = account.fieldFor(headingKey(name)) ?? name;
		if (known === name || account.seen.has(name)) return [];
		return {
			message: `'Additional Fields' has ${name}, and the service calls it ${known}`,
			description: `Write ${known}.`,
		};
	});
}

/** The questions about expressions that read a column which no row has. */
function missingColumns({ mapping, sheet }: Row): Explained[] {
	return [...mapping.mapped, ...mapping.added].flatMap(
		({ field, expression, isNeeded, isTime }) => {
			const missing = missingIn(sheet, expression);
			// An empty time could publish a post at once.
			const isMeant = (isTime ? saysWhatEmptyMeans : saysWhatEmptyCellMeans)(expression);
			if (!isNeeded || missing === undefined || isMeant) return [];
			const mayBeEmpty = isTime
				? ''
				: ` If all cells of the column may be empty, say so: {{ … ?? '' }}.`;
			return {
				message: `${field}: there is no column "${missing.name}"`,
				description: `${missing.advice} Correct the expression.${mayBeEmpty}`,
			};
		},
	);
}
