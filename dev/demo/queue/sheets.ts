import { http } from '../../n8n/http';
import type { Row } from '../../n8n/rows';

/** The rows of one execution. */
export type Sheet = Row[];

/** What came back for a sheet. */
export interface Answer {
	sheet: Sheet;
	/** Whether the execution ended well; each row may still have failed. */
	isOk: boolean;
	/** What the node returned for each row; empty if the execution failed. */
	results: Array<{ id?: unknown; error?: unknown }>;
	/** From the sending of all sheets to this answer. */
	seconds: number;
}

/** Cuts the rows into sheets of the same size. */
export function sheetsOf(rows: Row[], size: number): Sheet[] {
	return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
		rows.slice(index * size, (index + 1) * size),
	);
}

/** Sends all sheets to a webhook at once and waits for the executions that this starts. */
export async function sendAll(address: string, sheets: Sheet[]): Promise<Answer[]> {
	const started = Date.now();
	return await Promise.all(
		sheets.map(async (sheet) => {
			const { status, data } = await http.post<Answer['results']>(address, { rows: sheet });
			const isOk = status === 200;
			const seconds = (Date.now() - started) / 1000;
			return { sheet, isOk, results: isOk ? data : [], seconds };
		}),
	);
}
