import type { Sandbox } from './index';

/** How to use a running sandbox: its address and keys, line by line. */
export function usageOf({ baseUrl, keys }: Pick<Sandbox, 'baseUrl' | 'keys'>): string[] {
	const width = Math.max(...Object.values(keys).map((key) => key.length));
	return [
		`Base URL     ${baseUrl}`,
		`API keys     ${keys.read.padEnd(width)}   read scope: get data`,
		`             ${keys.write.padEnd(width)}   write scope: also post, create, update and delete`,
		`             ${keys.admin.padEnd(width)}   admin scope: everything`,
		'Use them     in n8n, in a credential of the type Local SEO API; or in a terminal:',
		`             curl -H 'Authorization: Bearer ${keys.read}' '${baseUrl}/locations?per_page=2'`,
	];
}
