import type { Service } from './backend';

/** Rows of a sheet for the first location, each with texts of its own. */
export const rowsFor = (service: Service, count = 3, name = 'Offer') =>
	Array.from({ length: count }, (_, index) => ({
		location_id: service.location(),
		title: `${name} number ${index + 1}`,
		content: `What row ${index + 1} of the sheet says about our ${name.toLowerCase()}`,
	}));

/** What is sent of a row: the column that names the location is left out. */
export function sentOf<Row extends { location_id: string }>(row: Row): Omit<Row, 'location_id'> {
	const sent: Partial<Row> = { ...row };
	delete sent.location_id;
	return sent as Omit<Row, 'location_id'>;
}

/** Several of a run with one ID. */
export const SAME_ID = /(\d+) items came back with the same ID/;

/**
 * The requests with which a run learns the fields of an account without posts: the list of its own
 * location, the locations, and the list of the other one.
 */
export const READS_OF_NEW_ACCOUNT = 3;

/** Every line that a run says beside its items, but when its posts go live. */
export const saidIn = ({ hints, error }: { hints: string[]; error?: Error }) =>
	[...hints, error?.message].filter(
		(text): text is string => text !== undefined && !/ go(es)? live /.test(text),
	);
