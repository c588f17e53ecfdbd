import type { IDataObject } from 'n8n-workflow';

/**
 * The wait that the service asks for, in milliseconds: `Retry-After` as seconds or as an HTTP date
 * (RFC 9110, 10.2.3). Undefined where it says none, or none that lies ahead.
 */
export function toldWait(headers: IDataObject): number | undefined {
	const told = String(headers['retry-after'] ?? '').trim();
	if (told === '') return undefined;
	const wait = /^\d+(\.\d+)?$/.test(told) ? Number(told) * 1000 : Date.parse(told) - Date.now();
	return wait > 0 ? wait : undefined;
}
