import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { bodyOf } from '../client/create';
import { isRecord } from '../client/envelope';
import { listOf } from '../client/look';
import { Memory, remembered } from '../client/memory';
import { readRecords } from '../client/list';
import type { ApiRequest } from '../client/request';
import { instantOf } from '../client/time';
import { namesIn, readOptions } from './options';
import { readPaging } from './parameters';
import { placeOf } from './place';

const DEFAULT_MATCH_FIELDS = ['title', 'content'];

interface Existing {
	/** What is there, by what tells it apart; what is just being created is a promise. */
	records: Map<string, IDataObject | Promise<unknown>>;
	/** Whether the list was empty: then nothing shows which fields its records have. */
	isNew: boolean;
}

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
	const body = bodyOf(request);
	if (keyOf(body, fields) === undefined) {
		throw new NodeOperationError(
			context.getNode(),
			`The row has none of the fields that tell posts apart: ${fields.join(', ')}`,
			{ description: 'Change the option Match Fields, or fill these columns.' },
		);
	}
	const { records, isNew } = await existingOf(context, request, fields);
	// A field that no one is known to have (a typo, say) must not make different rows the same.
	const isKnown = !isNew || fields.every((field) => field in body);
	const key = keyOf(body, isKnown ? fields : Object.keys(body)) ?? '';
	for (let known = records.get(key); known !== undefined; known = records.get(key)) {
		const record = await known;
		if (isRecord(record)) return [{ ...record, skipped: true }];
	}
	const creation = create();
	records.set(
		key,
		creation.then(([record]) => record).catch(() => records.delete(key)),
	);
	return await creation;
}

async function existingOf(
	context: IExecutePaginationFunctions,
	request: ApiRequest,
	fields: string[],
) {
	const read = async () => await readExisting(context, request, fields);
	const place = placeOf(context);
	if (place === undefined) return await read();
	const key = JSON.stringify([place, request.template, request.ids, fields]);
	return await remembered(lists, key, read);
}

async function readExisting(
	context: IExecutePaginationFunctions,
	request: ApiRequest,
	fields: string[],
): Promise<Existing> {
	const records = (await readRecords(context, listOf(request), readPaging(context))).filter(
		isRecord,
	);
	for (const field of fields) {
		if (records.length > 0 && !records.some((record) => field in record)) {
			throw new NodeOperationError(
				context.getNode(),
				`The ${request.noun}s that the service lists have no field "${field}", so it can't be told which are there`,
				{ description: 'Name other fields in the option Match Fields.' },
			);
		}
	}
	const known: Existing['records'] = new Map();
	for (const record of records) {
		const key = keyOf(record, fields);
		if (key !== undefined && !known.has(key)) known.set(key, record);
	}
	return { records: known, isNew: records.length === 0 };
}

function matchFields(context: IExecutePaginationFunctions): string[] {
	const names = namesIn(readOptions(context).matchFields);
	return names.length > 0 ? names : DEFAULT_MATCH_FIELDS;
}

/** The values that tell a record, as a sheet and the service may both write them. */
function keyOf(record: IDataObject, fields: string[]): string | undefined {
	const values = fields.map((field) => {
		const value = record[field] ?? '';
		const instant = instantOf(value);
		if (instant !== undefined) return new Date(instant).toISOString();
		const text = typeof value === 'string' ? value : JSON.stringify(value);
		return text.replace(/\s+/g, ' ').trim();
	});
	return values.every((value) => value === '') ? undefined : JSON.stringify(values);
}
