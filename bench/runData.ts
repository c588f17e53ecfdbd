/** What n8n has kept of one run of one node. */
export interface NodeRun {
	/** Milliseconds. */
	executionTime: number;
	executionStatus: string;
	error?: { message: string };
	data?: { main: Array<Array<{ json: Record<string, unknown> }> | null> };
}

/** An execution's data as far as the bench reads it. */
interface ExecutionData {
	resultData: { runData: Record<string, NodeRun[]>; error?: { message: string } };
}

/** Reads n8n's flat form: a list of values, in which a text within an object is an index. */
export function unflattened(text: string): ExecutionData {
	const flat = JSON.parse(text) as unknown[];
	const made = new Map<number, unknown>();
	const at = (index: number): unknown => {
		const entry = flat[index];
		if (typeof entry !== 'object' || entry === null) return entry;
		if (made.has(index)) return made.get(index);
		const result = Array.isArray(entry) ? [] : {};
		made.set(index, result);
		for (const [key, value] of Object.entries(entry)) {
			Object.assign(result, { [key]: typeof value === 'string' ? at(Number(value)) : value });
		}
		return result;
	};
	return at(0) as ExecutionData;
}
