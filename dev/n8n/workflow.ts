/** A node of a workflow, as an export holds it. */
export interface Step {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: object;
}

/** A node; its type with the package's name: `n8n-nodes-base.webhook`. */
export function step(
	name: string,
	type: string,
	typeVersion: number,
	parameters: object,
	more: object = {},
): Step {
	return { id: name, name, type, typeVersion, position: [0, 0], parameters, ...more };
}

/** A node's arrow to the next one; a tool or a model is connected to its agent by its own kind. */
export function to(node: string, type = 'main') {
	return { [type]: [[{ node, type, index: 0 }]] };
}
