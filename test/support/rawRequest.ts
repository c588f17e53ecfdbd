import { request } from 'node:http';

export interface RawResponse {
	status: number;
	text: string;
}

/** A request with headers that `fetch` does not let a program set, such as Host. */
export async function rawRequest(
	port: number,
	path: string,
	{
		method = 'GET',
		headers = {},
		body = '',
	}: { method?: string; headers?: object; body?: string } = {},
): Promise<RawResponse> {
	return await new Promise((resolve, reject) => {
		const options = {
			host: '127.0.0.1',
			port,
			path,
			method,
			headers: { ...headers },
			agent: false,
		};
		const sent = request(options, (response) => {
			let text = '';
			response.on('data', (data: Buffer) => (text += data.toString()));
			response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
		});
		sent.on('upgrade', (response, socket) => {
			socket.destroy();
			resolve({ status: response.statusCode ?? 0, text: '' });
		});
		sent.on('error', reject);
		sent.end(body);
	});
}
