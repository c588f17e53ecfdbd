import type { JsonObject } from '../client';

/** An item as n8n hands it over and takes it. */
export interface Item {
	json: JsonObject;
	/** Its files. */
	binary?: object;
	pairedItem?: { item: number };
}

/** An error in words: what is wrong, and what to do. */
export interface Explained {
	message: string;
	description?: string;
}

/** Where a row stands: among the rows of its run, as far as n8n names them. */
export interface Place {
	rows: Item[];
	/** Its place in `rows`. */
	index: number;
	/** Its number in the run, which its items are paired with. */
	item: number;
	/** Whether what fails leaves through an output of its own. */
	hasErrorOutput: boolean;
}
