// `npm run check -- --url https://…`: reads a real account and says, for each assumption of
// dev/sandbox/openapi.yaml, what is true there. Exits with 0 unless the service can't be used.
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import { Complaint } from '../../n8n/complaint';
import { flagsOf } from '../../n8n/flags';
import { AddressError, apiRoot, ServiceError } from '../../../nodes/LocalSeo/client';
import { version } from '../../../package.json';
import { SOURCE } from '../assumptions';
import { readAccount } from './account';
import { tryKeyword } from './keyword';
import { judge, linesOf, pageOf, withSeen } from './report';
import { MOST, Service, transportTo } from './service';

const ABOUT =
	'Reads a real account and says, for each assumption of dev/sandbox/openapi.yaml, what is true there. The API key is asked for, or taken from LOCAL_SEO_KEY.';

interface Flags {
	url: string;
	write?: string;
	report?: string;
	update?: boolean;
	key?: string;
}

const readFlags = () =>
	flagsOf('npm run check', ABOUT)
		.requiredOption('--url <address>', 'of the service, e.g. https://seo.example.com')
		.option('--write <location ID>', 'also adds a keyword to this location, and deletes it again')
		.option('--report <file>', 'writes a page that you can send to the maintainers')
		.option('--update', 'writes what was seen to dev/sandbox/openapi.seen.yaml')
		.option('--key <key>', 'the API key; npm repeats it on the screen')
		.parse()
		.opts<Flags>();

/** By a flaw of the address, a kind of fault, or a status. */
const REASONS: Record<string, string> = {
	'not-an-address': '--url must be the address of the service, e.g. https://seo.example.com.',
	'not-https': '--url must start with https (http is for this machine alone).',
	'more-than-a-path': '--url must not contain a user name, a query or a fragment.',
	unreachable: 'No service is listening at this address. Check --url.',
	'unknown-host': 'The host name of the service was not found. Check --url.',
	'unexpected-response': 'This does not look like the Local SEO API. Check --url.',
	'401': 'The service does not accept this API key. Check it in the dashboard: Settings, API Keys.',
	'404': 'There is no Local SEO service at this address. Check --url: nothing follows /api/v1.',
};

async function main(): Promise<void> {
	const { url, write, report, update, ...given } = readFlags();
	const root = apiRoot(url);
	const key = (given.key ?? process.env.LOCAL_SEO_KEY ?? (await asked('API key: '))).trim();

	const most = MOST.read + (write ? MOST.try + MOST.delete : 0);
	const change = write ? 'One keyword is added and deleted.' : 'Nothing is changed.';
	console.log(`Reading ${root.origin}, with at most ${most} requests. ${change}\n`);
	// The client's own clock keeps no process awake.
	const wait = async (ms: number, signal?: AbortSignal) => await sleep(ms, undefined, { signal });
	const clock = { now: () => performance.timeOrigin + performance.now(), sleep: wait };
	const serviceFor = (text: string) => new Service(transportTo(root, text), clock, console.log);
	const service = serviceFor(key.replace(/^Bearer\s+/i, ''));
	const evidence = await readAccount(service, serviceFor(''));
	if (write) evidence.keyword = await tryKeyword(service, write);
	const judged = judge(evidence);
	console.log(linesOf(judged).join('\n'));

	const day = new Date().toISOString().slice(0, 10);
	if (report) writeFileSync(report, pageOf(judged, version, day));
	const copy = SOURCE.replace('.yaml', '.seen.yaml');
	if (update) writeFileSync(copy, withSeen(readFileSync(SOURCE, 'utf8'), judged, day));
	const left = evidence.keyword?.left;
	if (left) console.error(`\nThe keyword "${left}" may still be there: delete it by hand.`);
}

/** What someone types, which is not shown. */
async function asked(question: string): Promise<string> {
	if (!process.stdin.isTTY) throw new Complaint('There is no API key: set LOCAL_SEO_KEY.');
	process.stdout.write(question);
	const output = new Writable({ write: (_chunk, _encoding, done) => done() });
	const terminal = createInterface({ input: process.stdin, output, terminal: true });
	const answer = await terminal.question('').finally(() => terminal.close());
	console.log();
	return answer;
}

/** Why the service can't be used, and what to do. */
function reasonOf(error: unknown): unknown {
	if (error instanceof AddressError) return REASONS[error.flaw];
	if (error instanceof Complaint) return error.message;
	if (!(error instanceof ServiceError)) return error;
	const { kind } = error;
	const status = error.status || kind;
	const reason = REASONS[kind] ?? REASONS[status];
	return reason ?? `The locations could not be read (${status}). Try again later.`;
}

main().catch((error: unknown) => {
	console.error(reasonOf(error));
	process.exitCode = 1;
});
