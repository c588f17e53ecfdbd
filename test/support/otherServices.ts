import { join } from 'node:path';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';

import type { Rest } from '../../dev/n8n/rest';
import type { Named } from '../../dev/n8n/workflow';

type Cell = string | number | boolean;

/** Google's sheets by their ID, row by row as a person sees them; the first row is the header. */
type Sheets = Map<string, Cell[][]>;
/** What QuickChart is asked to draw, as Chart.js takes it. */
interface Chart {
	data: { labels: string[]; datasets: Array<{ label: string; data: number[] }> };
}

/** Stand-ins of the services that the recipes use, for n8n's own nodes. */
export type OtherServices = Awaited<ReturnType<typeof startOtherServices>>;

/** The smallest PNG: one pixel. */
export const PICTURE = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);

const TOKEN = 'google-access-token';
/** The name of the only tab of each sheet. */
export const TAB = 'Sheet1';

/** Starts the stand-ins. They know only the requests that n8n's nodes make in the recipes. */
export async function startOtherServices() {
	const server = Fastify({ bodyLimit: 16 * 1024 * 1024 });
	server.addContentTypeParser(
		'application/x-www-form-urlencoded',
		{ parseAs: 'string' },
		(_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
	);
	const sheets: Sheets = new Map();
	const messages: Array<{ channel: string; text: string }> = [];
	const charts: Chart[] = [];
	addGoogle(server, sheets);
	server.post('/api/chat.postMessage', at('slack.com'), async ({ body }) => {
		messages.push(body as (typeof messages)[0]);
		return { ok: true, ts: '1' };
	});
	server.get('/chart', at('quickchart.io'), async ({ query }, reply) => {
		charts.push(JSON.parse((query as { chart: string }).chart));
		return await reply.type('image/png').send(PICTURE);
	});
	const origin = await server.listen({ host: '127.0.0.1', port: 0 });
	return {
		/** With these settings, n8n reaches the stand-ins in place of everything that is not on this machine. */
		settings: {
			NODE_OPTIONS: `--require "${join(__dirname, 'redirect.cjs')}"`,
			OTHER_SERVICES_PORT: new URL(origin).port,
		},
		sheets,
		messages,
		charts,
		signIn,
		close: async () => await server.close(),
	};
}

const at = (host: string) => ({ constraints: { host } });

/** Signs in at Google as its consent page does; resolves with a credential for Google Sheets. */
async function signIn(rest: Rest): Promise<Named> {
	const credential = await rest.post<Named>('/credentials', {
		name: 'Google Sheets',
		type: 'googleSheetsOAuth2Api',
		data: { clientId: 'n8n', clientSecret: 'secret' },
	});
	const consent = await rest.get<string>('/oauth2-credential/auth', { id: credential.id });
	const state = new URL(consent).searchParams.get('state');
	await rest.get('/oauth2-credential/callback', { code: 'agreed', state });
	return credential;
}

function addGoogle(server: FastifyInstance, sheets: Sheets): void {
	server.post('/token', at('oauth2.googleapis.com'), async () => ({
		access_token: TOKEN,
		refresh_token: 'refresh',
		token_type: 'Bearer',
		expires_in: 3600,
		scope: 'https://www.googleapis.com/auth/spreadsheets',
	}));
	server.all('/v4/spreadsheets/*', at('sheets.googleapis.com'), async (request, reply) => {
		const result = request.headers.authorization === `Bearer ${TOKEN}` && answer(sheets, request);
		return result || (await reply.code(400).send({ error: { message: 'Not known here' } }));
	});
}

/** Which of the Sheets API's requests it is: METHOD, the sheet's ID, and what comes after it. */
const REQUEST = /^(GET|PUT|POST) \/v4\/spreadsheets\/([^/:?]+)([/:]?[^?]*)/;
/** A cell as `Sheet1!C5`, or rows as `Sheet1!2:7`. */
const CELL = new RegExp(`^${TAB}!([A-Z])(\\d+)$`);
const ROWS = new RegExp(`^${TAB}!(\\d+):\\d+$`);

/** The response of the Sheets API; undefined for what it is not asked in the recipes. */
function answer(sheets: Sheets, request: FastifyRequest): object | undefined {
	const [, method, id, what] = REQUEST.exec(`${request.method} ${request.url}`) ?? [];
	const rows = sheets.get(id);
	if (!rows) return undefined;
	const named = decodeURIComponent(what);
	if (method === 'GET') {
		if (named === '') return { sheets: [{ properties: { sheetId: 0, title: TAB } }] };
		return named === `/values/'${TAB}'` || named === `/values/${TAB}`
			? { range: TAB, majorDimension: 'ROWS', values: rows.map(withoutEmptyEnd) }
			: undefined;
	}
	if (method === 'POST' && named === ':batchUpdate') return {}; // a row at the end: there is room
	if (method === 'POST' && named === '/values:batchUpdate') {
		const { data } = request.body as { data: Array<{ range: string; values: Cell[][] }> };
		for (const { range, values } of data) {
			const [, column, row] = CELL.exec(range)!;
			rows[Number(row) - 1][column.charCodeAt(0) - 'A'.charCodeAt(0)] = values[0][0];
		}
		return {};
	}
	const [, first] = ROWS.exec(named.slice('/values/'.length)) ?? [];
	if (method !== 'PUT' || !first) return undefined;
	const { values } = request.body as { values: Cell[][] };
	rows.splice(Number(first) - 1, values.length, ...values);
	return {};
}

/** Google leaves out the empty cells at the end of a row. */
function withoutEmptyEnd(row: Cell[]): Cell[] {
	const last = row.findLastIndex((cell) => cell !== '' && cell !== undefined);
	return Array.from(row.slice(0, last + 1), (cell) => cell ?? '');
}
