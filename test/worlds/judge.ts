import { idOf, type JsonObject } from '../../nodes/LocalSeo/client';
import type { Service, Stored } from './service';

/** What the client said of a row. */
export type Report =
	| { row: string; said: 'created'; record: JsonObject }
	| { row: string; said: 'failed'; why: string }
	| { row: string; said: 'unconfirmed'; why: string };

/** What is wrong, by the invariants of docs/guarantees.md; empty where nothing is. */
export function judge(service: Service, reports: Report[]): string[] {
	return reports.flatMap((report) => {
		const own = service.records.filter(({ row }) => row === report.row);
		return [...once(report, own), ...honest(report, own, reports)];
	});
}

/** 1. No row's record exists twice. */
function once({ row, said }: Report, own: Stored[]): string[] {
	if (own.length < 2) return [];
	return [`${row}, ${said}, exists ${own.length} times`];
}

/** 2. A created row has a record of its own; one that failed has none. */
function honest(report: Report, own: Stored[], reports: Report[]): string[] {
	if (report.said === 'unconfirmed') return [];
	if (report.said === 'failed') {
		return own.length > 0 ? [`${report.row} is there, but was said to have failed`] : [];
	}
	if (own.length === 0) return [`${report.row} is not there, but was said to be created`];
	const id = idOf(report.record);
	if (id === undefined) return [];
	const wrong = [];
	if (!own.some((stored) => id === `post_${stored.id}` || id === String(stored.id))) {
		wrong.push(`${report.row} was given the record ${id}, which is not its own`);
	}
	const others = reports.filter((other) => other.said === 'created' && idOf(other.record) === id);
	if (others.length > 1) wrong.push(`${report.row} shares the record ${id}`);
	return wrong;
}
