import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { bodyOf } from '../client/create';
import { isRecord } from '../client/envelope';
import { Memory, remembered } from '../client/memory';
import { readRecords } from '../client/list';
import { DEFAULT_PAGING } from '../client/page';
import type { ApiRequest } from '../client/request';
import { readOptions } from './options';
import { placeOf } from './place';

const DEFAULT_MATCH_FIELDS = 'title, content';

/** The records of one list, by what tells them apart; one that is just being created is a promise. */
type Existing = Map<string, IDataObject | Promise<unknown>>;

/** Lists by place and path: each is read once a run, not once a row. */
const lists = new Memory<Promise<Existing>>({ most: 1_000, forgetAfter: 3_600_000 });

/**
 * Creates a record unless one with the same values in the option Match Fields is there, or is being
 * created by an earlier row of this run; then that one comes out, with `skipped: true`.
 *
 * @throws NodeOperationError when the match fields are not in the row, or in none of the records
 */
export async function unlessExisting(
	context: IExecutePaginationFunctions,
	request: ApiRequest,
	create: () => Promise<unknown[]>,
): Promise<unknown[]> {
	const fields = matchFields(context);
	const key = keyOf(bodyOf(request), fields);
	if (key === undefined) {
		throw new NodeOperationError(
			context.getNode(),
			`The row has none of the fields that tell posts apart: ${fields.join(', ')}`,
			{ description: 'Change the option Match Fields, or fill these columns.' },
		);
	}
	const existing = await existingOf(context, request, fields);
	for (let known = existing.get(key); known !== undefined; known = existing.get(key)) {
		const record = await known;
		if (isRecord(record)) return [{ ...record, skipped: true }];
	}
	const creation = create();
	existing.set(
		key,
		creation.then(([record]) => record).catch(() => existing.delete(key)),
	);
	return await creation;
}

async function existingOf(
	context: IExecutePaginationFunctions,
	request: ApiRequest,
	fields: string[],
) {
	const place = JSON.stringify([placeOf(context), request.template, request.ids, fields]);
	return await remembered(lists, place, async () => await readExisting(context, request, fields));
}

async function readExisting(
	context: IExecutePaginationFunctions,
	request: ApiRequest,
	fields: string[],
) {
	const list: ApiRequest = { ...request, method: 'GET', body: undefined };
	const records = (await readRecords(context, list, DEFAULT_PAGING)).filter(isRecord);
	for (const field of fields) {
		if (records.length > 0 && !records.some((record) => field in record)) {
			throw new NodeOperationError(
				context.getNode(),
				`The ${request.noun}s that the service lists have no field "${field}", so it can't be told which are there`,
				{ description: 'Name other fields in the option Match Fields.' },
			);
		}
	}
	const existing: Existing = new Map();
	for (const record of records) {
		const key = keyOf(record, fields);
		if (key !== undefined && !existing.has(key)) existing.set(key, record);
	}
	return existing;
}

function matchFields(context: IExecutePaginationFunctions): string[] {
	const { matchFields: text } = readOptions(context);
	const names = (text || DEFAULT_MATCH_FIELDS).split(',').map((name) => name.trim());
	return names.filter((name) => name !== '');
}

/** The values that tell a record, as a sheet and the service may both write them. */
function keyOf(record: IDataObject, fields: string[]): string | undefined {
	const values = fields.map((field) => {
		const value = record[field] ?? '';
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		return text.replace(/\s+/g, ' ').trim();
	});
	return values.every((value) => value === '') ? undefined : JSON.stringify(values);
}
