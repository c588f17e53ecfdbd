/** A row of a sheet that becomes a content post. */
export interface Row {
	location_id: string;
	title: string;
	content: string;
	type: string;
	image_url: string;
}

export const COLUMNS = ['title', 'content', 'type', 'image_url'] as const;

/** Rows with different titles, spread over the locations of an account. */
export function rowsFor(locations: ReadonlyArray<{ id: string }>, count: number): Row[] {
	return Array.from({ length: count }, (_, index) => ({
		location_id: locations[index % locations.length].id,
		title: `Row ${index + 1} of the bench`,
		content: `What is new at our place this week, in a sentence of usual length (${index + 1}).`,
		type: 'update',
		image_url: `https://images.example.com/${index + 1}.jpg`,
	}));
}
