import type { AxiosInstance, AxiosResponse } from 'axios';
import { setTimeout as wait } from 'node:timers/promises';
import { Complaint } from './complaint';
import { shown, type Home } from './home';
import { http } from './http';
import { loginOf } from './login';

/** n8n's own REST API, as its editor uses it; responses without their envelope. */
export interface Rest {
	get<T>(path: string, params?: object): Promise<T>;
	post<T>(path: string, body: unknown): Promise<T>;
	patch<T>(path: string, body: unknown): Promise<T>;
	delete<T>(path: string): Promise<T>;
}

const MAX_TRIES = 30;

export class Rejection extends Complaint {
	constructor(
		message: string,
		readonly status: number,
	) {
		super(message);
	}
}

/**
 * n8n gives a pattern of a node's field 250 ms by the clock, and takes a machine that stood still for
 * that long for a pattern that never ends. It does so before the workflow runs.
 */
const STOOD_STILL = 'Regular expression execution timed out';

/** n8n's database can be unavailable, too ("503 Database is not ready!"). */
const passes = (status: number, message: string) => status === 503 || message === STOOD_STILL;

/** Sends a request, again while n8n has one of its bad moments. */
async function send<T>(
	api: AxiosInstance,
	method: string,
	url: string,
	more: object = {},
): Promise<AxiosResponse<T>> {
	for (let tries = 1; ; tries++) {
		const response = await api.request<T>({ method, url, ...more });
		const { status } = response;
		if (status < 400) return response;
		const { message = 'it gave no reason' } = Object(response.data) as { message?: string };
		if (!passes(status, message) || tries === MAX_TRIES)
			throw new Rejection(`n8n rejected ${method} ${url} (${status}): ${message}`, status);
		await wait(1_000);
	}
}

function restOf(api: AxiosInstance): Rest {
	const dataOf = async <T>(method: string, path: string, more?: object) =>
		(await send<{ data: T }>(api, method, path, more)).data.data;
	return {
		get: async (path, params) => await dataOf('GET', path, { params }),
		post: async (path, data) => await dataOf('POST', path, { data }),
		patch: async (path, data) => await dataOf('PATCH', path, { data }),
		delete: async (path) => await dataOf('DELETE', path),
	};
}

interface Settings {
	userManagement: { showSetupOnFirstLoad: boolean };
}

/** Logs in as the owner, who is created on the first start. */
export async function logIn(url: string, home: Home): Promise<Rest> {
	const { email, password } = loginOf(home);
	const api = http.create({ baseURL: `${url}/rest` });
	const rest = restOf(api);
	const { userManagement } = await rest.get<Settings>('/settings');
	if (userManagement.showSetupOnFirstLoad) {
		const name = { firstName: 'Demo', lastName: 'Owner' };
		await rest.post('/owner/setup', { email, password, ...name });
	}
	try {
		const data = { emailOrLdapLoginId: email, password };
		const { headers } = await send(api, 'POST', '/login', { data });
		const cookies = headers['set-cookie'] ?? [];
		api.defaults.headers.common.Cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
	} catch (error) {
		if (!(error instanceof Rejection) || error.status !== 401) throw error;
		throw new Complaint(
			`The n8n in ${shown(home.n8n)} has a different login than the one in its file owner-password. Delete that folder and start again.`,
		);
	}
	return rest;
}
