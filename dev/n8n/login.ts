import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Home } from './home';

/** The owner of an n8n that was started here. */
export interface Login {
	email: string;
	password: string;
}

const EMAIL = 'demo@example.com';
/** n8n wants a capital letter and a digit in every password. */
const REQUIRED = 'A1';

/** The login of the n8n in a home folder: its password is drawn once, and stays in a file there. */
export function loginOf({ n8n }: Home): Login {
	const file = join(n8n, 'owner-password');
	if (!existsSync(file)) {
		const password = randomBytes(18).toString('base64url') + REQUIRED;
		writeFileSync(file, `${password}\n`, { mode: 0o600, flag: 'wx' });
	}
	// Also if it was copied here, or edited.
	chmodSync(file, 0o600);
	return { email: EMAIL, password: readFileSync(file, 'utf8').trim() };
}
