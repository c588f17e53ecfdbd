import type { Sandbox } from '../../sandbox';
import type { Cluster } from './cluster';
import type { Load } from './flags';
import type { Named } from '../../n8n/workflow';

/** What the runs need. */
export interface Stage {
	cluster: Cluster;
	sandbox: Sandbox;
	load: Load;
	/** How many executions run on one worker at the same time, at most. */
	concurrency: number;
	/** With a key of the write scope, which all rows are posted with. */
	credential: Named;
	/** With another key, so that the trigger's requests can be told from the others. */
	readOnly: Named;
	/** The webhook that posts rows. */
	post: string;
	/** The webhook that posts rows again, and skips those that are there. */
	postAgain: string;
}
