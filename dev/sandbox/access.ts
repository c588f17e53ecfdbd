/** The three scopes of a key, as the interface names them. */
export type Scope = 'read' | 'write' | 'admin';

/** Keys that exist nowhere but here. */
export const keys: Readonly<Record<Scope, string>> = {
	read: 'sk_sandbox_read_not_a_secret',
	write: 'sk_sandbox_write_not_a_secret',
	admin: 'sk_sandbox_admin_not_a_secret',
};

export function scopeOf(authorization: unknown): Scope | undefined {
	const key = /^Bearer (\S+)$/i.exec(String(authorization))?.[1];
	return (Object.keys(keys) as Scope[]).find((scope) => keys[scope] === key);
}

/** Whether a key of this scope may send requests of this method. */
export function allows(scope: Scope, method: string): boolean {
	return scope !== 'read' || method === 'GET';
}
