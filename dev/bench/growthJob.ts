import { join } from 'node:path';
import { execaLoading } from '../n8n/command';
import { Complaint } from '../n8n/complaint';

/** What is done more and more of: records listed, or rows posted. */
export type Kind = 'list' | 'rows';

/** Where the sandbox of a job is. */
export interface Service {
	baseUrl: string;
	apiKey: string;
	locationIds: string[];
}

export interface Job {
	kind: Kind;
	count: number;
	service: Service;
}

/** What one run of a job took, in a process that did nothing else. */
export interface Cost {
	/** From the start of the execution to its end. */
	seconds: number;
	/** Of the processor, for everything in the process: node, n8n's engine, garbage collection. */
	cpuSeconds: number;
	/** Bytes of heap that the result holds: what garbage collection frees once it is dropped. */
	held: number;
	/** The most bytes of memory that the process ever had. */
	peak: number;
}

/** Waits for the one message that a process sends. */
async function messageOf<T>(
	child: { getOneMessage(): Promise<unknown> },
	name: string,
): Promise<T> {
	return (await child.getOneMessage().catch(() => {
		throw new Complaint(`${name} ended before it had a result. See the output above.`);
	})) as T;
}

/** Runs a job once: the sandbox in one process, n8n's engine with the node in another. */
export async function costOf(kind: Kind, count: number): Promise<Cost> {
	const locations = kind === 'list' ? count : ROWS_LOCATIONS;
	const { execaNode } = await execaLoading;
	const start = execaNode({ ipc: true, stdio: 'inherit', reject: false });
	const sandbox = start(join(__dirname, 'growthService.ts'), [String(locations)]);
	const nodeOptions = [...process.execArgv, '--expose-gc'];
	const worker = start(join(__dirname, 'growthWorker.ts'), { nodeOptions });
	try {
		const service = await messageOf<Service>(sandbox, 'The sandbox');
		const job: Job = { kind, count, service };
		await worker.sendMessage(job as object);
		return await messageOf<Cost>(worker, `The run of ${count}`);
	} finally {
		worker.kill();
		sandbox.kill();
	}
}

/** The locations that the rows are spread over, as in the other benches. */
const ROWS_LOCATIONS = 64;
