import getPort from 'get-port';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Complaint } from './complaint';

/** The address everything listens on: nothing is reachable from another machine. */
export const LOOPBACK = '127.0.0.1';

/** A port that is free right now and is not given out again, although nothing may listen on it yet. */
export const freePort = async () => await getPort({ host: LOOPBACK, reserve: true });

/**
 * Complains in one line if a port is not free, and names the flag that sets another one. get-port would
 * not say why, and refuses the ports that it has given out.
 */
export async function requireFree(
	port: number,
	user: string,
	flag: string,
	command = 'npm start',
): Promise<void> {
	const server = createServer();
	try {
		await once(server.listen(port, LOOPBACK), 'listening');
		await once(server.close(), 'close');
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		const why = code === 'EADDRINUSE' ? 'is already taken' : `cannot be used (${code})`;
		throw new Complaint(
			`Port ${port} for ${user} ${why}. Stop what uses it, or choose another: ${command} -- ${flag} ${port + 1}`,
		);
	}
}
