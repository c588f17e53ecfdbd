import type { SandboxOptions } from '../sandbox';
import {
	AUTOMATIC,
	BARE,
	type Contender,
	HTTP_INSIGHTS,
	HTTP_LIST,
	HTTP_POSTS,
	HTTP_POSTS_AGAIN,
	INSIGHTS,
	JSON_BODY,
	LIST,
	MANUAL,
	SKIPPING,
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
}

const RATE = 20;
const LIMITED_POSTS = 400;
const SHEET = 40;
/** What finding a rate, and how many requests a service bears, may cost: so many times the ideal. */
const PACE = { rate: 1.06, short: 1.5 };
/** Where the service takes no time, what n8n does for each row has most of it. */
const POSTING = {
	quick: { automatic: 0.8, manual: 0.8 },
	slow: { automatic: 0.45, manual: 0.4 },
};

function posting(latencyMs: number): Scenario {
	const most = latencyMs === 0 ? POSTING.quick : POSTING.slow;
	return {
		number: 2,
		title: `1,000 posts from 1,000 rows, ${latencyMs} ms latency, no rate limit`,
		sandbox: { latencyMs },
		posts: 1_000,
		contenders: [AUTOMATIC, MANUAL, JSON_BODY, HTTP_POSTS, BARE],
		reliable: [AUTOMATIC, MANUAL, JSON_BODY],
		wanted: [
			{ of: AUTOMATIC, by: HTTP_POSTS, atMost: most.automatic },
			{ of: MANUAL, by: HTTP_POSTS, atMost: most.manual },
		],
	};
}

export const SCENARIOS: Scenario[] = [
	{
		number: 1,
		title: 'List 10,000 locations, 15 per page, 100 ms latency',
		sandbox: { locations: 10_000, latencyMs: 100 },
		contenders: [LIST, HTTP_LIST, BARE],
		reliable: [LIST],
		wanted: [
			{ of: HTTP_LIST, by: LIST, atLeast: 14 },
			{ of: LIST, by: BARE, atMost: PACE.short },
		],
	},
	posting(0),
	posting(100),
	{
		number: 3,
		title: `${LIMITED_POSTS} posts at ${RATE} requests per second, without a look at what exists`,
		sandbox: { requestsPerSecond: RATE },
		posts: LIMITED_POSTS,
		contenders: [AUTOMATIC, HTTP_POSTS],
		reliable: [AUTOMATIC],
		wanted: [
			{
				of: AUTOMATIC,
				by: { seconds: LIMITED_POSTS / RATE, name: `${LIMITED_POSTS} ÷ ${RATE} per second` },
				atMost: PACE.rate,
			},
		],
	},
	{
		number: 4,
		title: 'The insights of 1,000 locations as a table of 30,000 rows, 100 ms latency',
		sandbox: { locations: 1_000, latencyMs: 100 },
		insights: true,
		contenders: [INSIGHTS, HTTP_INSIGHTS],
		reliable: [INSIGHTS, HTTP_INSIGHTS],
		wanted: [{ of: INSIGHTS, by: HTTP_INSIGHTS, atMost: 1 }],
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
];
