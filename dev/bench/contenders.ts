import type { Latency, Sandbox, SandboxOptions } from '../sandbox';
import { COLUMNS } from '../n8n/rows';

/** A node of a workflow, as far as the contenders differ. */
export interface TestedNode {
	type: string;
	typeVersion: number;
	parameters: object;
	/** The credential's type and its data. */
	credential: { type: string; data: object };
	/** Whether n8n runs it again after a failure, three times in all. */
	retryOnFail?: boolean;
	/** What a Code node after it has to do for the same result. */
	code?: string;
}

/** What the same key does before the job that is measured, against a service that is as stated meanwhile. */
export interface Before {
	latencyMs: Latency;
	/** How many rows. */
	rows: number;
	node: Contender['node'];
	/** How long nothing happens afterwards. */
	idleMs?: number;
}

/** What does a job: a node in n8n, or the bare fetch if there is no node. */
export interface Contender {
	name: string;
	node?: (sandbox: Sandbox) => TestedNode;
	/** The service where it differs from that of the scenario. */
	sandbox?: SandboxOptions;
	before?: Before;
}

function localSeo(parameters: object): Contender['node'] {
	return ({ baseUrl, keys }) => ({
		type: 'n8n-nodes-local-seo.localSeo',
		typeVersion: 1,
		parameters: { options: {}, ...parameters },
		credential: { type: 'localSeoApi', data: { baseUrl, apiKey: keys.write } },
	});
}

const headerAuth = (key: string): TestedNode['credential'] => ({
	type: 'httpHeaderAuth',
	data: { name: 'Authorization', value: `Bearer ${key}` },
});

/** What users of n8n do without this node: the key in a Header Auth credential, no options set. */
function httpRequest(parametersFor: (baseUrl: string) => object, code?: string): Contender['node'] {
	return ({ baseUrl, keys }) => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			options: {},
			...parametersFor(baseUrl),
		},
		credential: headerAuth(keys.write),
		code,
	});
}

const LOCATION_OF_ROW = { __rl: true, mode: 'id', value: '={{ $json.location_id }}' };

function newPost(parameters: object): Contender['node'] {
	// As the HTTP Request node does it: without a look at what exists.
	const post = {
		resource: 'post',
		operation: 'create',
		locationId: LOCATION_OF_ROW,
		whenToPublish: 'now',
		ifExists: 'create',
	};
	return localSeo({ ...post, ...parameters });
}

const AUTOMATIC_FIELDS = { fields: { mappingMode: 'autoMapInputData', value: null } };

const columns = COLUMNS.map((name) => ({ name, value: `={{ $json.${name} }}` }));

/** Posts, with the incoming row sent as it is. */
export const AUTOMATIC: Contender = {
	name: 'Local SEO, automatic mapping',
	node: newPost(AUTOMATIC_FIELDS),
};

/** Posts with each column filled by an expression. */
export const MANUAL: Contender = {
	name: 'Local SEO, four columns mapped',
	node: newPost({
		fields: {
			mappingMode: 'defineBelow',
			value: Object.fromEntries(columns.map(({ name, value }) => [name, value])),
		},
	}),
};

/** Posts as the HTTP Request node makes them, with the same four columns as body fields. */
export const HTTP_POSTS: Contender = {
	name: 'HTTP Request',
	node: httpRequest((baseUrl) => ({
		method: 'POST',
		url: `=${baseUrl}/locations/{{ $json.location_id }}/posts`,
		sendBody: true,
		bodyParameters: { parameters: columns },
	})),
};

/** Posts with nothing set: records that exist already are skipped. */
export const SKIPPING: Contender = {
	name: 'Local SEO',
	node: newPost({ ifExists: 'skip', ...AUTOMATIC_FIELDS }),
};

export const SKIPPING_QUICK_LIST: Contender = {
	...SKIPPING,
	name: 'Local SEO, its list at 10 ms',
	sandbox: { latencyMs: { reads: 10, writes: 200 } },
};

/** Posts as the HTTP Request node makes them, run again where n8n says that it failed. */
export const HTTP_POSTS_AGAIN: Contender = {
	name: 'HTTP Request, Retry On Fail',
	node: (sandbox) => ({ ...HTTP_POSTS.node!(sandbox), retryOnFail: true }),
};

/** n8n's request helper alone, once a row. */
export const FLOOR: Contender = {
	name: "n8n's request helper alone",
	node: ({ baseUrl, keys }) => ({
		type: 'CUSTOM.floor',
		typeVersion: 1,
		parameters: { baseUrl },
		credential: headerAuth(keys.write),
	}),
};

/** One request after the other, though there are many rows: n8n's own option of every declarative node. */
const oneByOne = (batchInterval: number) => ({
	requestOptions: { batching: { batch: { batchSize: 1, batchInterval } } },
});
export const AFTER_QUICK_ROWS: Contender = {
	...AUTOMATIC,
	name: 'half a minute after 1,000 posts at 0 ms',
	before: { latencyMs: 0, rows: 1_000, node: AUTOMATIC.node, idleMs: 30_000 },
};

export const AFTER_READINGS: Contender = {
	...AUTOMATIC,
	name: 'after 40 single readings of 10 ms',
	before: {
		latencyMs: 10,
		rows: 40,
		node: localSeo({
			resource: 'location',
			operation: 'get',
			locationId: LOCATION_OF_ROW,
			...oneByOne(30),
		}),
	},
};

export const AFTER_QUICK_POSTS: Contender = {
	...AUTOMATIC,
	name: 'after 200 posts of 3 ms, one by one',
	before: {
		latencyMs: 3,
		rows: 200,
		node: newPost({ ...AUTOMATIC_FIELDS, ...oneByOne(15) }),
	},
};

export const AFTER_FULL_SPEED: Contender = {
	...MANUAL,
	name: 'right after 1,000 posts at full speed',
	before: { latencyMs: 0, rows: 1_000, node: MANUAL.node },
};

/** All locations, with nothing set but Return All. */
export const LIST: Contender = {
	name: 'Local SEO',
	node: localSeo({ resource: 'location', operation: 'getAll', returnAll: true }),
};

/** All locations with the pagination of the HTTP Request node; it stops at the last page. */
export const HTTP_LIST: Contender = {
	name: 'HTTP Request',
	node: httpRequest((baseUrl) => ({
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
	})),
};

/** The insights of the location of each row, as the table that the node makes by itself. */
export const INSIGHTS: Contender = {
	name: 'Local SEO',
	node: localSeo({
		resource: 'insight',
		operation: 'get',
		locationId: LOCATION_OF_ROW,
		output: 'rows',
	}),
};

/** The same with the HTTP Request node, and a Code node that makes the table. */
export const HTTP_INSIGHTS: Contender = {
	name: 'HTTP Request and Code',
	node: httpRequest(
		(baseUrl) => ({ url: `=${baseUrl}/locations/{{ $json.location_id }}/insights` }),
		`const rows = $('Rows').all();
return $input.all().flatMap(({ json: { data } }, index) => {
	const { location_id, days } = data;
	const location = { location_id, location_name: rows[index].json.name };
	return days.map(({ date, ...day }) => ({ json: { date, ...location, ...day } }));
});`,
	),
};

export const BARE: Contender = { name: 'bare fetch' };
