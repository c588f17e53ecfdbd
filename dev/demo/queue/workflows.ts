import { type Named, type NewWorkflow, step, to } from '../../n8n/workflow';

/** The trigger's node, whose items show what was reported. */
export const CHANGES = 'A post was added';

/**
 * Rows come in by a webhook, each becomes a post, and the results go back, in the order of the rows.
 *
 * @param path of the webhook
 * @param again whether the rows may have been posted before, so that what exists is skipped
 */
export function posting(path: string, credential: Named, again: boolean): NewWorkflow {
	return {
		name: path,
		nodes: [
			step(
				'Rows come in',
				'n8n-nodes-base.webhook',
				2,
				{ path, httpMethod: 'POST', responseMode: 'lastNode', responseData: 'allEntries' },
				{ webhookId: path },
			),
			step('One item a row', 'n8n-nodes-base.splitOut', 1, {
				fieldToSplitOut: 'body.rows',
				options: {},
			}),
			step(
				'Create the post',
				'n8n-nodes-local-seo.localSeo',
				1,
				{
					resource: 'post',
					operation: 'create',
					locationId: { __rl: true, mode: 'id', value: '={{ $json.location_id }}' },
					whenToPublish: 'now',
					fields: { mappingMode: 'autoMapInputData', value: null },
					ifExists: again ? 'skip' : 'create',
					options: {},
				},
				{ credentials: { localSeoApi: credential }, onError: 'continueRegularOutput' },
			),
		],
		connections: {
			'Rows come in': to('One item a row'),
			'One item a row': to('Create the post'),
		},
	};
}

/** The trigger watches the posts of a location, once a minute. */
export function watching(locationId: string, credential: Named): NewWorkflow {
	return {
		name: 'Watch the posts of a location',
		nodes: [
			step(
				CHANGES,
				'n8n-nodes-local-seo.localSeoTrigger',
				1,
				{
					pollTimes: { item: [{ mode: 'everyMinute' }] },
					events: ['postAdded'],
					locationIds: [locationId],
					options: {},
				},
				{ credentials: { localSeoApi: credential } },
			),
			step('Go on', 'n8n-nodes-base.noOp', 1, {}),
		],
		connections: { [CHANGES]: to('Go on') },
	};
}
