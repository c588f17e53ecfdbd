import axios, { AxiosError, type AxiosInstance, type AxiosResponse } from 'axios';
import { setTimeout as wait } from 'node:timers/promises';
import { Complaint } from './complaint';
import { shown, type Home } from './home';
import { loginOf } from './login';

/** n8n's own REST API, as its editor uses it; responses without their envelope. */
export interface Rest {
	get<T>(path: string, params?: object): Promise<T>;
	post<T>(path: string, body: unknown): Promise<T>;
	patch<T>(path: string, body: unknown): Promise<T>;
	delete<T>(path: string): Promise<T>;
	/** What the editor loads from beside the API, as it is: `/types/nodes.json`. */
	file<T>(path: string): Promise<T>;
}

const MAX_TRIES = 30;

/** A request that n8n did not carry out. */
export class Rejection extends Complaint {
	constructor(
		message: string,
		/** Of HTTP; undefined if there was no response. */
		readonly status: number | undefined,
	) {
		super(message);
	}
}

function rejected(error: AxiosError<{ message?: string }>, path: string): Rejection {
	const { response, config } = error;
	const said = response?.data?.message ?? error.message;
	return new Rejection(
		`n8n rejected ${config?.method?.toUpperCase()} ${path} (${response?.status ?? error.code}): ${said}`,
		response?.status,
	);
}

/** Sends a request; n8n's database can be unavailable for a moment ("503 Database is not ready!"). */
async function send<T>(
	http: AxiosInstance,
	method: string,
	path: string,
	rest: object,
): Promise<T> {
	for (let tries = 1; ; tries++) {
		try {
			const { data }: AxiosResponse<{ data: T }> = await http.request({
				method,
				url: path,
				...rest,
			});
			return data.data;
		} catch (error) {
			if (!(error instanceof AxiosError)) throw error;
			if (error.response?.status !== 503 || tries === MAX_TRIES) throw rejected(error, path);
			await wait(1_000);
		}
	}
}

function restOf(http: AxiosInstance): Rest {
	return {
		get: async (path, params) => await send(http, 'GET', path, { params }),
		post: async (path, body) => await send(http, 'POST', path, { data: body }),
		patch: async (path, body) => await send(http, 'PATCH', path, { data: body }),
		delete: async (path) => await send(http, 'DELETE', path, {}),
		file: async <T>(path: string) => {
			const baseURL = new URL('/', http.defaults.baseURL).href;
			return (await http.get<T>(path, { baseURL })).data;
		},
	};
}

interface Settings {
	userManagement: { showSetupOnFirstLoad: boolean };
}

/** Logs in as the owner, who is created on the first start. */
export async function logIn(url: string, home: Home): Promise<Rest> {
	const { email, password } = loginOf(home);
	const http = axios.create({ baseURL: `${url}/rest`, proxy: false });
	const { userManagement } = await restOf(http).get<Settings>('/settings');
	if (userManagement.showSetupOnFirstLoad) {
		await restOf(http).post('/owner/setup', {
			email,
			password,
			firstName: 'Demo',
			lastName: 'Owner',
		});
	}
	try {
		const { headers } = await http.post('/login', {
			emailOrLdapLoginId: email,
			password,
		});
		const cookies = headers['set-cookie'] ?? [];
		http.defaults.headers.common.Cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
	} catch (error) {
		if (!(error instanceof AxiosError) || error.response?.status !== 401) throw error;
		throw new Complaint(
			`The n8n in ${shown(home.n8n)} has a different login than the one in its file owner-password. Delete that folder and start again.`,
		);
	}
	return restOf(http);
}
