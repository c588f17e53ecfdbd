import { setTimeout as wait } from 'node:timers/promises';
import { resultOf } from '../../n8n/execution';
import { activate } from '../../n8n/publish';
import { AFTER_A_POLL, until } from '../../n8n/until';
import type { TriggerFigures } from './figures';
import type { Stage } from './stage';
import { CHANGES, watching } from './workflows';

const POSTS_EACH_TIME = 3;
const TOLD_WITHIN = 300_000;

interface Execution {
	id: string;
	status: string;
}

/** The IDs of the posts that executions of the workflow reported, as often as they did. */
async function toldBy({ cluster }: Stage, workflowId: string): Promise<string[]> {
	const { results } = await cluster.rest.get<{ results: Execution[] }>('/executions', {
		filter: JSON.stringify({ workflowId }),
		limit: 100,
	});
	const ids: string[] = [];
	for (const { id } of results.filter(({ status }) => status === 'success')) {
		const { runData } = await resultOf(cluster.rest, id);
		const items = runData[CHANGES][0].data?.main.flatMap((output) => output ?? []) ?? [];
		ids.push(...items.map(({ json }) => String((json.record as { id: unknown }).id)));
	}
	return ids;
}

/** The trigger is active while the main is restarted: posts are made before, meanwhile and afterwards. */
export async function watchThroughRestart(stage: Stage): Promise<TriggerFigures> {
	const { cluster, sandbox } = stage;
	sandbox.reset();
	const [location] = sandbox.account.locations;
	const lists = () =>
		sandbox.requests.filter(({ scope, path }) => scope === 'read' && path.endsWith('/posts'));

	const workflowId = await activate(cluster.rest, watching(location.id, stage.readOnly));
	await until('the first poll', () => lists().length > 0 || undefined, AFTER_A_POLL);

	const made = new Map<string, number>();
	const make = () => {
		for (let count = 0; count < POSTS_EACH_TIME; count++) {
			const title = `Post ${made.size + 1} around a restart`;
			const { id } = sandbox.account.addPost(location, { title, content: title });
			made.set(id, Date.now());
		}
	};
	const toldAt = new Map<string, number>();
	/** Whatever is not told in time shows in the figures. */
	const untilAllTold = async () => {
		for (const deadline = Date.now() + TOLD_WITHIN; Date.now() < deadline; await wait(1_000)) {
			for (const id of await toldBy(stage, workflowId)) {
				if (!toldAt.has(id)) toldAt.set(id, Date.now());
			}
			if ([...made.keys()].every((id) => toldAt.has(id))) return;
		}
	};

	make();
	await untilAllTold();
	make();
	await cluster.stopMain();
	make();
	await cluster.startMain();
	make();
	await untilAllTold();

	// The next poll has nothing to report.
	const before = lists().length;
	await until('another poll', () => lists().length > before || undefined, AFTER_A_POLL);
	await wait(5_000);
	const told = await toldBy(stage, workflowId);
	const known = new Set(told);
	const waits = [...made].map(([id, at]) => ((toldAt.get(id) ?? at) - at) / 1000);
	return {
		kind: 'trigger',
		name: 'The trigger, through a restart',
		restarts: 1,
		posts: made.size,
		untold: [...made.keys()].filter((id) => !known.has(id)).length,
		twice: told.length - known.size,
		requests: sandbox.requests.filter(({ scope }) => scope === 'read').length,
		seconds: Math.max(...waits),
	};
}
