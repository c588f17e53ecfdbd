import type { Account } from '../../../nodes/LocalSeo/client';
import type { World } from './dimensions';
import type { Service } from './service';

/** Milliseconds. */
export const PATIENCE = 300_000;
export const TIMEOUT = 60_000;

/** What the client said of a row, or of another call, and when; milliseconds since 1970. */
export type Report = { who: string; calledAt: number; endedAt: number } & (
	| { said: 'done'; records: unknown[] }
	| { said: 'failed' | 'unconfirmed'; why: string; kind?: string }
);

/** All that happened in a world. */
export interface Played {
	world: World;
	service: Service;
	/** What the client remembers. */
	account: Account;
	reports: Report[];
	/** The names of the rows that say the same. */
	groups: string[][];
}
