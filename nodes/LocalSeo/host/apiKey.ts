import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/** The key in a credential, without what is often copied with it: white space, and how a header sends it. */
export function apiKeyOf({ apiKey }: ICredentialDataDecryptedObject): string {
	return String(apiKey ?? '')
		.trim()
		.replace(/^(authorization:\s*)?bearer(\s+|$)/i, '');
}
