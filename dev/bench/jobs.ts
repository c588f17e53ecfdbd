import type { Sandbox, SandboxOptions } from '../sandbox';
import { COLUMNS } from '../n8n/rows';

/** A node of a workflow, as far as the contenders differ. */
export interface TestedNode {
	type: string;
	typeVersion: number;
	parameters: object;
	/** The credential's type and its data. */
	credential: { type: string; data: object };
	/** Whether n8n runs the node again after a failure, three times in all. */
	retryOnFail?: boolean;
}

/** A node that does a job, against the service of that job. */
export interface Contender {
	name: string;
	node: (sandbox: Sandbox) => TestedNode;
}

/** A bound for the time of Local SEO, in parts of the time of a contender or of a number of seconds. */
export interface Bound {
	by: Contender | { name: string; seconds: number };
	atMost: number;
}

/** What is done side by side: all locations are listed, or rows become posts. */
export interface Job {
	title: string;
	sandbox: SandboxOptions;
	/** How many rows become posts; absent: the locations are listed. */
	posts?: number;
	/** How many posts lose their response after the service has created them. */
	lostResponses?: number;
	/** How many times the same rows are run, one execution after the other; 1 by default. */
	executions?: number;
	/** Local SEO comes first, and may neither lose nor duplicate anything. */
	contenders: [Contender, ...Contender[]];
	bounds: Bound[];
}

const localSeo = (parameters: object): Contender => ({
	name: 'Local SEO',
	node: ({ baseUrl, keys }) => ({
		type: 'n8n-nodes-local-seo.localSeo',
		typeVersion: 1,
		parameters: { options: {}, ...parameters },
		credential: { type: 'localSeoApi', data: { baseUrl, apiKey: keys.write } },
	}),
});

/** What users of n8n do without this node: the key in a Header Auth credential, no options set. */
const httpRequest = (parametersFor: (baseUrl: string) => object): Contender => ({
	name: 'HTTP Request',
	node: ({ baseUrl, keys }) => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			options: {},
			...parametersFor(baseUrl),
		},
		credential: {
			type: 'httpHeaderAuth',
			data: { name: 'Authorization', value: `Bearer ${keys.write}` },
		},
	}),
});

const columns = COLUMNS.map((name) => ({ name, value: `={{ $json.${name} }}` }));

const newPost = (parameters: object) =>
	localSeo({
		resource: 'post',
		operation: 'create',
		locationId: { __rl: true, mode: 'id', value: '={{ $json.location_id }}' },
		whenToPublish: 'now',
		...parameters,
	});

/** Posts with each column filled by an expression, without a look at what exists. */
const POSTS = newPost({
	ifExists: 'create',
	fields: {
		mappingMode: 'defineBelow',
		value: Object.fromEntries(columns.map(({ name, value }) => [name, value])),
	},
});

/** Posts with nothing set: records that exist already are skipped. */
const SKIPPING = newPost({ fields: { mappingMode: 'autoMapInputData', value: null } });

/** The same four columns as body fields. */
const HTTP_POSTS = httpRequest((baseUrl) => ({
	method: 'POST',
	url: `=${baseUrl}/locations/{{ $json.location_id }}/posts`,
	sendBody: true,
	bodyParameters: { parameters: columns },
}));

const HTTP_POSTS_AGAIN: Contender = {
	name: 'HTTP Request, Retry On Fail',
	node: (sandbox) => ({ ...HTTP_POSTS.node(sandbox), retryOnFail: true }),
};

const LIST = localSeo({ resource: 'location', operation: 'getAll', returnAll: true });

/** The pagination of the HTTP Request node, which stops at the last page. */
const HTTP_LIST = httpRequest((baseUrl) => ({
	url: `${baseUrl}/locations`,
	options: {
		pagination: {
			pagination: {
				paginationMode: 'updateAParameterInEachRequest',
				parameters: {
					parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
				},
				paginationCompleteWhen: 'other',
				completeExpression:
					'={{ $response.body.meta.current_page * $response.body.meta.per_page >= $response.body.meta.total }}',
				requestInterval: 0,
			},
		},
	},
}));

const SHEET = 40;

export const JOBS: readonly Job[] = [
	{
		title: 'List 10,000 locations, 15 per page, 100 ms latency',
		sandbox: { locations: 10_000, latencyMs: 100 },
		contenders: [LIST, HTTP_LIST],
		bounds: [{ by: HTTP_LIST, atMost: 0.04 }],
	},
	...(
		[
			[0, 0.25],
			[100, 0.45],
		] as const
	).map(
		([latencyMs, atMost]): Job => ({
			title: `1,000 posts from 1,000 rows, ${latencyMs} ms latency, no rate limit`,
			sandbox: { latencyMs },
			posts: 1_000,
			contenders: [POSTS, HTTP_POSTS],
			bounds: [{ by: HTTP_POSTS, atMost }],
		}),
	),
	{
		title: '400 posts at 20 requests per second',
		sandbox: { requestsPerSecond: 20 },
		posts: 400,
		contenders: [POSTS, HTTP_POSTS],
		bounds: [{ by: { name: 'the shortest possible 20 s', seconds: 20 }, atMost: 1.06 }],
	},
	{
		title: '300 posts to 4 workers of 100 ms, which answer 503 when 8 more wait',
		sandbox: { latencyMs: 100, workers: { count: 4, queue: 8 } },
		posts: 300,
		contenders: [SKIPPING],
		// Such a 503 may be of a post that was created.
		bounds: [{ by: { name: '7.5 s, and 95 s to look for them', seconds: 102.5 }, atMost: 1.1 }],
	},
	{
		title: `${SHEET} posts, of which 4 lose their response`,
		sandbox: { latencyMs: 100 },
		posts: SHEET,
		lostResponses: 4,
		contenders: [SKIPPING, HTTP_POSTS, HTTP_POSTS_AGAIN],
		bounds: [],
	},
	{
		title: `A sheet of ${SHEET} rows, run twice`,
		sandbox: { latencyMs: 100 },
		posts: SHEET,
		executions: 2,
		contenders: [SKIPPING, HTTP_POSTS],
		bounds: [],
	},
];
