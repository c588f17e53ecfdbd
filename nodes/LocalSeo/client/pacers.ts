import { createHash } from 'node:crypto';

import { CREDENTIAL, type Host } from './request';
import { Pacer } from './pacer';

/** A pacer that no one has used for this long has nothing to tell any more. */
const FORGOTTEN_AFTER = 600_000;
/** For how long it is taken that a credential still holds the same key. */
const KEY_KNOWN_FOR = 60_000;

/** Pacers by API key, for all nodes, executions and pickers of this process. */
const pacers = new Map<string, Pacer>();
/** Keys (as hashes) by credential: reading a credential costs about as much as a request. */
const keys = new Map<string, { key: Promise<string>; readAt: number }>();

/** The pacer of the API key that a node uses. */
export async function pacerOf(host: Host): Promise<Pacer> {
	const key = await accountOf(host);
	const pacer = pacers.get(key) ?? new Pacer();
	if (!pacers.has(key)) forgetOld();
	pacers.set(key, pacer);
	return pacer;
}

/** A name for the account behind the API key that a node uses; a hash that tells nothing of it. */
export async function accountOf(host: Host): Promise<string> {
	const id = host.getNode().credentials?.[CREDENTIAL]?.id;
	if (!id) return await readAccount(host);
	const known = keys.get(id);
	if (known && Date.now() - known.readAt < KEY_KNOWN_FOR) return await known.key;
	const key = readAccount(host);
	keys.set(id, { key, readAt: Date.now() });
	key.catch(() => keys.delete(id));
	return await key;
}

async function readAccount(host: Host): Promise<string> {
	const { baseUrl, apiKey } = await host.getCredentials(CREDENTIAL);
	const origin = URL.canParse(String(baseUrl)) ? new URL(String(baseUrl)).origin : '';
	return createHash('sha256')
		.update(`${origin} ${String(apiKey).trim()}`)
		.digest('hex');
}

function forgetOld() {
	const now = Date.now();
	for (const [key, pacer] of pacers) {
		if (pacer.isIdle && now - pacer.usedAt > FORGOTTEN_AFTER) pacers.delete(key);
	}
	for (const [id, { readAt }] of keys) {
		if (now - readAt > KEY_KNOWN_FOR) keys.delete(id);
	}
}
