import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/** The names of the ids in a path template: `locationId` in `/locations/{locationId}/posts`. */
export function idNames(template: string): string[] {
	return [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
}

/** What an id names, in the service's words: `location` for `locationId`. */
export function nounOfId(name: string): string {
	return name.replace(/Id$/, '');
}

/** Whether the path ends with its id: `/locations/{locationId}` names a location itself. */
export function endsWithId(template: string): boolean {
	return template.endsWith('}');
}

/**
 * Fills the ids into a path template, encoded.
 *
 * @throws NodeOperationError when an id is empty, or one that a URL parser would take for a step
 * (encoding leaves `.` and `..` alone: n8n-facts, section 4)
 */
export function fillPath(node: INode, template: string, ids: Record<string, string>): string {
	return idNames(template).reduce((path, name) => {
		const id = ids[name] ?? '';
		if (id === '' || id === '.' || id === '..' || /\p{Surrogate}/u.test(id)) {
			throw new NodeOperationError(
				node,
				id === ''
					? `The ID of the ${nounOfId(name)} is empty`
					: `"${id}" can't be the ID of a ${nounOfId(name)}`,
				{ description: 'Pick it from the list, or check the expression that gives the ID.' },
			);
		}
		return path.replace(`{${name}}`, () => encodeURIComponent(id));
	}, template);
}
