import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isRecord } from '../client';
import { withDatesAsText } from './plainValue';

/** Fields by which a workflow tells what became of a row: one of an earlier run must not be taken for it. */
const TELLING = ['error', 'skipped', 'deleted', 'dryRun'];

/** The same for Create or Update; with other operations, a column `created` is the user's own. */
const TELLING_UPSERT = ['created', 'updated', 'unchanged'];

/** The items of a row with the row's own columns beside the result. */
export function withInputFields(
	row: INodeExecutionData,
	items: INodeExecutionData[],
): INodeExecutionData[] {
	return items.map((item) => ({ ...item, json: withColumns(row.json, item.json) }));
}

/**
 * A result with the columns of its row: the columns first, with dates as ISO text. Where both have a
 * field of the same name with different values, that of the row is called `input_…`; nothing is lost but
 * what this node has said of an earlier try.
 */
export function withColumns(row: IDataObject, result: IDataObject): IDataObject {
	const isUpsert = TELLING_UPSERT.some((name) => result[name] === true);
	const telling = isUpsert ? [...TELLING, ...TELLING_UPSERT] : TELLING;
	const taken = new Set([...Object.keys(row), ...Object.keys(result)]);
	const columns = Object.entries(withDatesAsText(row))
		.filter(([name, value]) => !isEarlierReport(name, value))
		.map(([name, value]): [string, unknown] => {
			const isFree = !telling.includes(name) && !Object.hasOwn(result, name);
			if (isFree || isSame(result[name], value)) return [name, value];
			let free = `input_${name}`;
			while (taken.has(free)) free = `input_${free}`;
			taken.add(free);
			return [free, value];
		});
	return { ...Object.fromEntries(columns), ...result } as IDataObject;
}

/** The error of a row that is tried again. */
function isEarlierReport(name: string, value: unknown): boolean {
	return name === 'error' && isRecord(value) && 'message' in value && 'httpCode' in value;
}

function isSame(one: unknown, other: unknown): boolean {
	return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}
