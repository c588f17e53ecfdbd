import type { Sandbox, SandboxOptions } from '../sandbox';
import { COLUMNS } from '../n8n/rows';

/** A node that does a job, and its credential. */
export interface Contender {
	name: string;
	type: string;
	typeVersion: number;
	parameters: (baseUrl: string) => object;
	/** Whether n8n runs the node again after a failure, three times in all. */
	retryOnFail?: boolean;
	credentialType: string;
	credential: (sandbox: Sandbox) => object;
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
	/** The most that Local SEO may take, in parts of what the second contender takes or of `seconds`. */
	bound?: { atMost: number; seconds?: number };
}

const localSeo = (parameters: object): Contender => ({
	name: 'Local SEO',
	type: 'n8n-nodes-local-seo.localSeo',
	typeVersion: 1,
	parameters: () => ({ options: {}, ...parameters }),
	credentialType: 'localSeoApi',
	credential: ({ baseUrl, keys }) => ({ baseUrl, apiKey: keys.write }),
});

/** What users of n8n do without this node: the key in a Header Auth credential, no options set. */
const httpRequest = (parametersFor: (baseUrl: string) => object): Contender => ({
	name: 'HTTP Request',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.5,
	parameters: (baseUrl) => ({
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		options: {},
		...parametersFor(baseUrl),
	}),
	credentialType: 'httpHeaderAuth',
	credential: ({ keys }) => ({ name: 'Authorization', value: `Bearer ${keys.write}` }),
});

const newPost = (parameters: object) =>
	localSeo({
		resource: 'post',
		operation: 'create',
		locationId: { __rl: true, mode: 'id', value: '={{ $json.location_id }}' },
		whenToPublish: 'now',
		fields: { mappingMode: 'autoMapInputData', value: null },
		...parameters,
	});

/** Without a look at what exists. */
const POSTS = newPost({ ifExists: 'create' });

/** With nothing set: records that exist already are skipped. */
const SKIPPING = newPost({});

const HTTP_POSTS = httpRequest((baseUrl) => ({
	method: 'POST',
	url: `=${baseUrl}/locations/{{ $json.location_id }}/posts`,
	sendBody: true,
	bodyParameters: {
		parameters: COLUMNS.map((name) => ({ name, value: `={{ $json.${name} }}` })),
	},
}));

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

export const JOBS: readonly Job[] = [
	{
		title: '10,000 locations, 15 per page, 100 ms latency',
		sandbox: { locations: 10_000, latencyMs: 100 },
		contenders: [LIST, HTTP_LIST],
		bound: { atMost: 0.04 },
	},
	{
		title: '1,000 posts, 100 ms latency',
		sandbox: { latencyMs: 100 },
		posts: 1_000,
		contenders: [POSTS, HTTP_POSTS],
		bound: { atMost: 0.45 },
	},
	{
		title: '400 posts at 20 requests a second, 20 s at best',
		sandbox: { requestsPerSecond: 20 },
		posts: 400,
		contenders: [POSTS, HTTP_POSTS],
		bound: { atMost: 1.06, seconds: 20 },
	},
	{
		title: '40 posts, 4 of which lose their response',
		sandbox: { latencyMs: 100 },
		posts: 40,
		lostResponses: 4,
		contenders: [
			SKIPPING,
			HTTP_POSTS,
			{ ...HTTP_POSTS, name: 'HTTP Request, Retry On Fail', retryOnFail: true },
		],
	},
	{
		title: 'A sheet of 40 rows, run twice',
		sandbox: { latencyMs: 100 },
		posts: 40,
		executions: 2,
		contenders: [SKIPPING, HTTP_POSTS],
	},
];
