import { type NodeRun, startByHand, untilOver } from '../n8n/execution';
import { ledgerOf } from '../n8n/ledger';
import type { Rest } from '../n8n/rest';
import { rowsFor } from '../n8n/rows';
import { inARow, type Named, step } from '../n8n/workflow';
import { startSandbox } from '../sandbox';
import type { Contender, Job } from './jobs';

/** What one contender did in one repetition. */
export interface Measurement {
	/** The node's own execution time, as n8n records it. */
	seconds: number;
	requests: number;
	/** How many records are missing, or have different content. */
	lost: number;
	/** How many extra copies of records there are. */
	doubled: number;
	/** Whether n8n shows the node as failed. */
	hasFailed: boolean;
}

const MEASURED = 'Measured';

/** IDs of the records in items: each an item, or in envelopes as from the HTTP Request node. */
function idsIn({ data }: NodeRun): string[] {
	const items = (data?.main ?? []).flatMap((output) => output ?? []).map(({ json }) => json);
	const records = items.flatMap((item) => (Array.isArray(item.data) ? item.data : [item]));
	return records.map(({ id }) => String(id));
}

/**
 * Lets a contender do a job once. Sandbox, credential and workflow are new each time, so that the node
 * knows nothing about the service.
 */
export async function measure(
	rest: Rest,
	{ sandbox: options, posts = 0, lostResponses = 0, executions = 1 }: Job,
	{ type, typeVersion, parameters, retryOnFail, ...contender }: Contender,
): Promise<Measurement> {
	const sandbox = await startSandbox(options);
	try {
		const { baseUrl, account, requests } = sandbox;
		const rows = rowsFor(account.locations, posts);
		if (lostResponses > 0) {
			const fault = { actFirst: true, dropConnection: true } as const;
			sandbox.faults.add({ when: { method: 'POST' }, times: lostResponses, ...fault });
		}
		const { credentialType, credential } = contender;
		const kept = await rest.post<Named>('/credentials', {
			...{ name: credentialType, type: credentialType, data: credential(sandbox) },
		});
		const jsCode = `return ${JSON.stringify(rows)}.map((json) => ({ json }));`;
		const more = { retryOnFail, credentials: { [credentialType]: kept } };
		const workflow = inARow(MEASURED, [
			step('Start by hand', 'n8n-nodes-base.manualTrigger', 1, {}),
			...(posts > 0 ? [step('Rows', 'n8n-nodes-base.code', 2, { jsCode })] : []),
			step(MEASURED, type, typeVersion, parameters(baseUrl), more),
		]);
		const runs: NodeRun[] = [];
		for (let execution = 1; execution <= executions; execution++) {
			// A workflow of its own each time, so that nothing is remembered between them.
			const { id } = await rest.post<Named>('/workflows', workflow);
			const { runData } = await untilOver(rest, await startByHand(rest, id));
			runs.push(runData[MEASURED].at(-1)!);
		}
		const ids = idsIn(runs.at(-1)!);
		const seen = new Set(ids);
		const { lost, twice } =
			posts > 0
				? ledgerOf(sandbox, rows)
				: {
						lost: account.locations.filter(({ id }) => !seen.has(id)),
						twice: ids.slice(seen.size),
					};
		return {
			seconds: runs.reduce((sum, { executionTime }) => sum + executionTime, 0) / 1_000,
			requests: requests.length,
			lost: lost.length,
			doubled: twice.length,
			hasFailed: runs.some(({ executionStatus }) => executionStatus !== 'success'),
		};
	} finally {
		await sandbox.close();
	}
}
