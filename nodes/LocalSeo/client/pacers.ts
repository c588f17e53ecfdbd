import { createHash } from 'node:crypto';

import { Memory, remembered } from './memory';
import { CREDENTIAL, type Host } from './request';
import { Pacer } from './pacer';

/** A pacer that no one has used for this long has nothing to tell any more. */
const FORGOTTEN_AFTER = 600_000;
/** For how long it is taken that a credential still holds the same key. */
const KEY_KNOWN_FOR = 60_000;

/** Pacers by API key, for all nodes, executions and pickers of this process. */
const pacers = new Map<string, Pacer>();
/** Keys (as hashes) by credential: reading a credential costs about as much as a request. */
const keys = new Memory<Promise<string>>({
	most: 1_000,
	forgetAfter: KEY_KNOWN_FOR,
	since: 'set',
});

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
	return await remembered(keys, id, async () => await readAccount(host));
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
}
