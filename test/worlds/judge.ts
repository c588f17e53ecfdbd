import { idOf, type JsonObject } from '../../nodes/LocalSeo/client';
import type { Service } from './service';

/** What the client said of a row. */
export type Report =
	| { row: string; said: 'created'; record: JsonObject }
	| { row: string; said: 'failed'; why: string }
	| { row: string; said: 'unconfirmed'; why: string };

/**
 * What is wrong, by the guarantees of docs/guarantees.md; empty where nothing is. Rows that say the
 * same can't be told apart, so they are judged together.
 */
export function judge(service: Service, reports: Report[], groups: string[][]): string[] {
	return groups.flatMap((rows) => {
		const own = service.records.filter(({ row }) => row !== undefined && rows.includes(row));
		const said = reports.filter(({ row }) => rows.includes(row));
		const created = said.filter((report) => report.said === 'created');
		const failed = said.filter((report) => report.said === 'failed').length;
		const ids = created.map(({ record }) => idOf(record)).filter((id) => id !== undefined);
		const known = new Set(own.flatMap(({ id }) => [`post_${id}`, String(id)]));
		const wrong = [];
		if (own.length > rows.length) wrong.push(`exists ${own.length} times`);
		if (own.length > rows.length - failed) wrong.push('is there, but was said to have failed');
		if (created.length > own.length) wrong.push('is not there, but was said to be created');
		if (ids.some((id) => !known.has(id))) wrong.push('was given a record that is not its own');
		if (new Set(ids).size < ids.length) wrong.push('shares a record');
		return wrong.map((flaw) => `${rows.join(', ')}: ${flaw}`);
	});
}
