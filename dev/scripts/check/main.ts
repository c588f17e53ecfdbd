// `LOCAL_SEO_KEY=… npm run check -- --url https://…`: reads a real account and says, for each assumption of
// dev/sandbox/openapi.yaml, what is true there. It prints nothing of the account.
import { setTimeout as sleep } from 'node:timers/promises';
import { AddressError, apiRoot, idOf, type JsonObject } from '../../../nodes/LocalSeo/client';
import { Complaint } from '../../n8n/complaint';
import { flagsOf } from '../../n8n/flags';
import { runProgram } from '../../n8n/program';
import { readChecked } from '../assumptions';
import { type Answer, assumed, either, type Finding, isDone, ofEach, ofFields } from './findings';
import { ofList, ofOne, ofStatus, recordsOf, totalOf, unseen } from './findings';

/** Locations, and keywords of one of them, that are looked into at most. */
const [MOST_LOCATIONS, MOST_KEYWORDS] = [4, 6];
const MOST_A_PAGE = 100;
const TIMEOUT_MS = 30_000;
/** A rate limit that lasts longer (s) ends the check. */
const MOST_WAIT = 600;

/** Sends requests to the service, waits where it asks for that, and keeps all answers. */
function askerOf(url: string, answers: Answer[]) {
	const root = apiRoot(url).href.replace(/\/$/, '');
	return async function ask(
		path: string,
		key: string,
		query: Record<string, string> = {},
	): Promise<Answer> {
		const address = `${root}${path}?${new URLSearchParams(query).toString()}`;
		const headers: HeadersInit = key ? { Authorization: `Bearer ${key}` } : {};
		const how = { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
		const response = await fetch(address, how).catch(({ cause, message }: Error) => {
			const reason = (cause as { code?: string } | undefined)?.code ?? message;
			throw new Complaint(`The service could not be reached (${reason}). Check --url.`);
		});
		const body: unknown = await response.json().catch(() => undefined);
		const answer = { status: response.status, headers: Object.fromEntries(response.headers), body };
		answers.push(answer);
		const wait = Number(answer.headers['retry-after']);
		if (answer.status !== 429 || !(wait <= MOST_WAIT)) return answer;
		console.log(`Rate limit reached: the service asks to wait another ${wait} s …`);
		await sleep(wait * 1_000);
		return await ask(path, key, query);
	};
}

/** Reads an account with some 35 requests at most; what was found, by the names of the checks. */
async function findingsIn(url: string, key: string): Promise<Record<string, Finding>> {
	const all: Answer[] = [];
	const send = askerOf(url, all);
	const ask = async (path: string, query?: Record<string, string>) => await send(path, key, query);
	const idIn = (answer: Answer) => idOf(recordsOf(answer)[0]);
	const list = await ask('/locations');
	if (list.status === 401) throw new Complaint('The service does not accept this API key.');
	if (!isDone(list)) throw new Complaint(`Status ${list.status}: check --url, or try again later.`);

	const found: Record<string, Finding> = { 'list location': ofList('location', list) };
	const most = recordsOf(await ask('/locations', { per_page: `${MOST_A_PAGE}` }));
	const isWhole = most.length >= Math.min(MOST_A_PAGE, totalOf(list));
	const locations = isWhole ? most : recordsOf(list);
	// With one location a page, few locations are enough to see how pages are chosen.
	if (locations.length > 1) {
		const one = await ask('/locations', { per_page: '1', page: '1' });
		const two = await ask('/locations', { per_page: '1', page: '2' });
		const isSize = recordsOf(one).length === 1;
		const largest = isSize ? `1, but ${most.length} at most` : 'ignored';
		const of = 'the name and the size that your service takes';
		found['page size'] = either(isSize && isWhole, `1 and ${MOST_A_PAGE}`, largest, of);
		const isNext = ![idIn(one), undefined].includes(idIn(two));
		const isFirst = idIn(one) === idIn(list);
		found.page = either(isNext && isFirst, 'page 2 differs', 'ignored, or counted from 0');
	}
	const other = await ask('/locations', { local_seo_check: '1' });
	found['other parameters'] = either(isDone(other), 'ignored', `refused (${other.status})`);
	found['status 422'] = ofStatus(422, await ask('/locations', { per_page: 'none' }));
	found['status 404'] = ofStatus(404, await ask('/locations/loc_0_no_such_location'));
	found['status 401'] = ofStatus(401, await send('/locations', ''));

	const records: Record<string, JsonObject[]> = { location: locations };
	for (const noun of ['keyword', 'post', 'scan', 'insight']) records[noun] = [];
	const read = async (check: string, path: string) => {
		const [kind, noun] = check.split(' ');
		const answer = await ask(path);
		if (!isDone(answer)) return;
		found[check] = kind === 'one' ? ofOne(answer) : ofList(noun, answer);
		if (check !== 'one location') records[noun].push(...recordsOf(answer));
	};
	for (const location of locations.slice(0, MOST_LOCATIONS)) {
		const path = `/locations/${encodeURIComponent(idOf(location) ?? '')}`;
		if (!found['one location']) await read('one location', path);
		if (!found['one insight']) await read('one insight', `${path}/insights`);
		if (!records.keyword[0]) await read('list keyword', `${path}/keywords`);
		if (!records.post[0]) await read('list post', `${path}/posts`);
	}
	for (const keyword of records.keyword.slice(0, MOST_KEYWORDS)) {
		await read('list scan', `/keywords/${encodeURIComponent(idOf(keyword) ?? '')}/scans`);
	}
	const limited = all.find(({ status }) => status === 429);
	if (limited) found['status 429'] = assumed('429');
	if (limited) found['retry-after'] = either(limited.headers['retry-after'], 'so it does', 'no');
	const refused = all.filter(({ status }) => status >= 400);
	const haveMessages = refused.every(({ body }) => Object(body).message);
	if (refused[0]) found.error = either(haveMessages, 'so they have', 'no message');
	for (const { check = '', part } of readChecked()) {
		const [, noun] = /^record (\w+)/.exec(check) ?? [];
		if (noun) found[check] = ofFields(noun, records[noun], part);
	}
	return { ...found, ...ofEach(records) };
}

/** A line for each assumption; the last one counts them. */
export async function check(url: string, key: string): Promise<string[]> {
	const found = await findingsIn(url, key).catch((error: unknown) => {
		if (!(error instanceof AddressError)) throw error;
		throw new Complaint('--url must be an https address, e.g. https://seo.example.com.');
	});
	const checked = readChecked().map(({ check: name = '', uncheckedBecause, ...assumption }) => ({
		...assumption,
		...(found[name] ?? unseen(uncheckedBecause ?? 'nothing was there')),
	}));
	const lines = checked.map(({ mark, assumed: text, seen, options: [option], to = '' }) => {
		const todo = mark === '✗' && option ? `. See the option ${option}: ${to}` : '';
		return `${mark} ${text}: ${seen}${todo}`;
	});
	const count = (mark: string) => checked.filter((one) => one.mark === mark).length;
	const counts = [`${count('✓')} as assumed`, `${count('✗')} otherwise`, `${count('?')} not seen`];
	return [...lines, counts.join(', ')];
}

async function main(): Promise<boolean> {
	const { url } = flagsOf('npm run check', 'Reads an account; the key is taken from LOCAL_SEO_KEY.')
		.requiredOption('--url <address>', 'of the service, e.g. https://seo.example.com')
		.parse()
		.opts<{ url: string }>();
	const key = (process.env.LOCAL_SEO_KEY ?? '').trim().replace(/^Bearer\s+/i, '');
	if (!key) throw new Complaint('There is no API key: set the variable LOCAL_SEO_KEY to it.');
	for (const line of await check(url, key)) console.log(line);
	return true;
}

if (require.main === module) void runProgram(main);
