import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Complaint } from './complaint';

/** The address everything listens on: nothing is reachable from another machine. */
export const LOOPBACK = '127.0.0.1';

/** Ports that were given out, although nothing may listen on them yet. */
const given = new Set<number>();

/** Listens for a moment; resolves with the port. */
async function listen(port: number): Promise<number> {
	const server = createServer();
	await once(server.listen(port, LOOPBACK), 'listening');
	const { port: used } = server.address() as AddressInfo;
	await once(server.close(), 'close');
	return used;
}

/** A port that is free right now and is not given out again. */
export async function freePort(): Promise<number> {
	const port = await listen(0);
	if (given.has(port)) return await freePort();
	given.add(port);
	return port;
}

/** Complains in one line if a port is not free, and names the flag that sets another one. */
export async function requireFree(port: number, user: string, flag: string): Promise<void> {
	await listen(port).catch(({ code }: NodeJS.ErrnoException) => {
		const why = code === 'EADDRINUSE' ? 'is already taken' : `cannot be used (${code})`;
		throw new Complaint(
			`Port ${port} for ${user} ${why}. Stop what uses it, or choose another: npm start -- ${flag} ${port + 1}`,
		);
	});
}
