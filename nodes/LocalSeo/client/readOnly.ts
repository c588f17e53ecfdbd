import type { Connection } from './account';

/** The connection as one that can't change anything: all but GET ends before it is sent. */
export function readOnly(connection: Connection): Connection {
	return {
		...connection,
		transport: async (request, signal) => {
			if (request.method === 'GET') return await connection.transport(request, signal);
			return { fault: 'other', cause: new Error('Nothing but reads can be sent here') };
		},
	};
}
