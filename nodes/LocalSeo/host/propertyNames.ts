import * as n8n from 'n8n-workflow';

/** Whether n8n lets an expression read a property of this name. Older versions do not say so: then none. */
export function isReadable(name: string): boolean {
	return 'isSafeObjectProperty' in n8n && n8n.isSafeObjectProperty(name);
}
