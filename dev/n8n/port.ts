import { createServer, type AddressInfo } from 'node:net';
import { Complaint } from './complaint';

/** The address everything listens on: nothing is reachable from another machine. */
export const LOOPBACK = '127.0.0.1';

async function listenOn(port: number): Promise<number> {
	const server = createServer();
	return await new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, LOOPBACK, () => {
			const taken = (server.address() as AddressInfo).port;
			server.close(() => resolve(taken));
		});
	});
}

/** Already assigned, although nothing may be listening on them yet. */
const assigned = new Set<number>();

/** A port that is free right now and has not been assigned before. */
export async function freePort(): Promise<number> {
	let port = await listenOn(0);
	while (assigned.has(port)) port = await listenOn(0);
	assigned.add(port);
	return port;
}

/** Complains in one line if a port is not free, and names the flag that sets another one. */
export async function requireFree(
	port: number,
	user: string,
	flag: string,
	command = 'npm start',
): Promise<void> {
	try {
		await listenOn(port);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		const why = code === 'EADDRINUSE' ? 'is already taken' : `cannot be used (${code})`;
		throw new Complaint(
			`Port ${port} for ${user} ${why}. Stop what uses it, or choose another: ${command} -- ${flag} ${port + 1}`,
		);
	}
}
