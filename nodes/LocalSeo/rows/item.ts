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

/** Something wrong with a row, and the field whose value can't be read, where it is one. */
export interface Problem extends Explained {
	field?: string;
}

/** The fields of a row that a dry run could not read; they are not sent, and not empty either. */
export const unreadFields = ({ problems }: { problems: Problem[] }): string[] =>
	problems.flatMap(({ field }) => field ?? []);

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
