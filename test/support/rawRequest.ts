import { request } from 'node:http';

/** A request with headers that `fetch` does not let a program set, such as Host. */
export async function rawRequest(
	port: number,
	path: string,
	{ method = 'GET', headers = {} }: { method?: string; headers?: object } = {},
): Promise<{ status?: number }> {
	return await new Promise((resolve, reject) => {
		const options = { host: '127.0.0.1', port, path, method, agent: false };
		const sent = request({ ...options, headers: { ...headers } }, (response) => {
			response.resume();
			resolve({ status: response.statusCode });
		});
		sent.on('error', reject);
		sent.end();
	});
}
