import { MAX_IN_FLIGHT } from '../../nodes/LocalSeo/client/pace/gradient';
import type { SandboxOptions } from '../sandbox';
import {
	AFTER_FULL_SPEED,
	AFTER_QUICK_POSTS,
	AFTER_QUICK_ROWS,
	AFTER_READINGS,
	AUTOMATIC,
	BARE,
	type Contender,
	FLOOR,
	HTTP_INSIGHTS,
	HTTP_LIST,
	HTTP_POSTS,
	HTTP_POSTS_AGAIN,
	INSIGHTS,
	LIST,
	MANUAL,
	SKIPPING,
	SKIPPING_QUICK_LIST,
} from './contenders';

/** The time of a contender divided by that of another, or by a number of seconds, with a bound. */
export interface Wanted {
	of: Contender;
	by: Contender | { seconds: number; name: string };
	atLeast?: number;
	atMost?: number;
}

export interface Scenario {
	number: number;
	title: string;
	sandbox: SandboxOptions;
	/** How many rows become posts. */
	posts?: number;
	/** How many posts the first location has before; those of the sample data by default. */
	existing?: number;
	/** Of how many posts the response is lost, after the service has made them. */
	lostResponses?: number;
	/** How often the same rows are run, one execution after the other; once by default. */
	executions?: number;
	/** Whether the insights of each location become rows; without this and posts, the locations are listed. */
	insights?: true;
	contenders: Contender[];
	/** Those that must not lose or duplicate anything. */
	reliable: Contender[];
	wanted: Wanted[];
	/** How many requests of a contender the service may refuse. */
	refused?: { of: Contender; atMost: number };
}

const SHEET = 40;
/** What went before may cost so many times what the same takes with a new key. */
const AFTER = 1.3;
/**
 * n8n's request helper alone takes about half of the HTTP Request node's time, so no node can take much
 * less; how close this one comes to it is what `floor` bounds. Where answers take their time, finding out
 * how many requests the service bears costs a few round trips as well.
 */
const POSTING = {
	quick: { automatic: 0.7, manual: 0.65, floor: 1.25 },
	slow: { automatic: 0.85, manual: 0.7, floor: 1.6 },
};

function posting(latencyMs: number): Scenario {
	const most = latencyMs === 0 ? POSTING.quick : POSTING.slow;
	return {
		number: 2,
		title: `1,000 posts from 1,000 rows, ${latencyMs} ms latency, no rate limit`,
		sandbox: { latencyMs },
		posts: 1_000,
		contenders: [AUTOMATIC, MANUAL, HTTP_POSTS, FLOOR, BARE],
		reliable: [AUTOMATIC, MANUAL],
		wanted: [
			{ of: AUTOMATIC, by: HTTP_POSTS, atMost: most.automatic },
			{ of: MANUAL, by: HTTP_POSTS, atMost: most.manual },
			{ of: AUTOMATIC, by: FLOOR, atMost: most.floor },
			{ of: MANUAL, by: FLOOR, atMost: most.floor },
		],
	};
}

/** The limit is not known; without a look at what exists. */
interface Limited {
	posts: number;
	perSecond: number;
	/** The shortest possible time. */
	seconds: number;
	atMost: number;
}

function limited({ posts, perSecond, seconds, atMost }: Limited): Scenario {
	return {
		number: 3,
		title: `${posts} posts at ${perSecond} requests per second`,
		sandbox: { requestsPerSecond: perSecond },
		posts,
		contenders: perSecond === 20 ? [MANUAL, AFTER_FULL_SPEED, HTTP_POSTS] : [MANUAL],
		reliable: perSecond === 20 ? [MANUAL, AFTER_FULL_SPEED] : [MANUAL],
		wanted: [{ of: MANUAL, by: { seconds, name: `${seconds} s` }, atMost }],
		...(perSecond === 20 && {
			refused: { of: AFTER_FULL_SPEED, atMost: MAX_IN_FLIGHT + perSecond },
		}),
	};
}

/** What the key has done before, and how long a service takes for other requests, says nothing of these. */
const AFTERWARDS: Scenario[] = [
	{
		number: 7,
		title: '1,000 posts at 100 ms, with a new key and with one that knows a quick service',
		sandbox: { latencyMs: 100 },
		posts: 1_000,
		contenders: [AUTOMATIC, AFTER_QUICK_ROWS],
		reliable: [AUTOMATIC, AFTER_QUICK_ROWS],
		wanted: [{ of: AFTER_QUICK_ROWS, by: AUTOMATIC, atMost: AFTER }],
	},
	{
		number: 7,
		title: '300 posts at 300 ms, with a new key and with one that knows a quick service',
		sandbox: { latencyMs: 300 },
		posts: 300,
		contenders: [AUTOMATIC, AFTER_READINGS, AFTER_QUICK_POSTS],
		reliable: [AUTOMATIC, AFTER_READINGS, AFTER_QUICK_POSTS],
		wanted: [
			{ of: AFTER_READINGS, by: AUTOMATIC, atMost: AFTER },
			{ of: AFTER_QUICK_POSTS, by: AUTOMATIC, atMost: AFTER },
		],
	},
	{
		number: 7,
		title: '500 posts at 200 ms that skip what exists, in a list of 300',
		sandbox: { locations: 1, latencyMs: 200 },
		existing: 300,
		posts: 500,
		contenders: [SKIPPING, SKIPPING_QUICK_LIST],
		reliable: [SKIPPING, SKIPPING_QUICK_LIST],
		wanted: [{ of: SKIPPING_QUICK_LIST, by: SKIPPING, atMost: 1.2 }],
	},
];

export const SCENARIOS: Scenario[] = [
	{
		number: 1,
		title: 'List 10,000 locations, 15 per page, 100 ms latency',
		sandbox: { locations: 10_000, latencyMs: 100 },
		contenders: [LIST, HTTP_LIST, BARE],
		reliable: [LIST],
		wanted: [
			{ of: HTTP_LIST, by: LIST, atLeast: 14 },
			{ of: LIST, by: BARE, atMost: 1.3 },
		],
	},
	posting(0),
	posting(100),
	...[
		{ posts: 400, perSecond: 20, seconds: 20, atMost: 1.06 },
		{ posts: 300, perSecond: 10, seconds: 29, atMost: 1.06 },
		{ posts: 300, perSecond: 50, seconds: 5, atMost: 1.2 },
	].map(limited),
	{
		number: 4,
		title: 'The insights of 1,000 locations as a table of 30,000 rows, 100 ms latency',
		sandbox: { locations: 1_000, latencyMs: 100 },
		insights: true,
		contenders: [INSIGHTS, HTTP_INSIGHTS],
		reliable: [INSIGHTS, HTTP_INSIGHTS],
		// Reading a response of any shape takes about half a millisecond; the Code node knows the shape.
		wanted: [{ of: INSIGHTS, by: HTTP_INSIGHTS, atMost: 1.15 }],
	},
	{
		number: 5,
		title: `${SHEET} posts, of which 4 lose their response`,
		sandbox: { latencyMs: 100 },
		posts: SHEET,
		lostResponses: 4,
		contenders: [SKIPPING, HTTP_POSTS, HTTP_POSTS_AGAIN],
		reliable: [SKIPPING],
		wanted: [],
	},
	{
		number: 6,
		title: `A sheet of ${SHEET} rows, run twice`,
		sandbox: { latencyMs: 100 },
		posts: SHEET,
		executions: 2,
		contenders: [SKIPPING, HTTP_POSTS],
		reliable: [SKIPPING],
		wanted: [],
	},
	...AFTERWARDS,
	{
		number: 8,
		title: '300 posts to 4 workers of 100 ms, which answer 503 when 8 more wait',
		sandbox: { latencyMs: 100, workers: { count: 4, queue: 8 } },
		posts: 300,
		contenders: [AUTOMATIC],
		reliable: [AUTOMATIC],
		wanted: [{ of: AUTOMATIC, by: { seconds: 7.5, name: '7.5 s' }, atMost: 1.6 }],
	},
];
