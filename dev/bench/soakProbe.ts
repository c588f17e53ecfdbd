import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../n8n/until';

/** What probe.cjs saw in n8n's process, after garbage collection. */
export interface Look {
	/** Milliseconds since 1970. */
	at: number;
	/** Bytes. */
	heapUsed: number;
	rss: number;
	/** How many of each kind keep the process busy, by Node.js's names: `TCPSocketWrap`, `Timeout`, … */
	resources: Record<string, number>;
	/** Connections to the sandbox. */
	socketsToService: number;
	/** Signals of `AbortSignal.timeout` that are held and have not fired. */
	timers: number;
	/** Listeners of the process, by event. */
	listeners: Record<string, number>;
	/** All since the start. */
	warnings: Array<{ name: string; message: string; stack: string }>;
	/** How many executions have ended since the start, by the workflow's name and by status. */
	executions: Record<string, Record<string, number>>;
}

/** The lines of a probe. */
export class Probe {
	constructor(private readonly file: string) {}

	get looks(): Look[] {
		if (!existsSync(this.file)) return [];
		const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
		return lines.map((line) => JSON.parse(line) as Look);
	}

	/** What it looks like once n8n has had nothing to do for a while. */
	async atRest(): Promise<Look> {
		await wait(AT_REST_AFTER);
		const now = Date.now();
		return await until('a look at n8n', () => this.looks.find(({ at }) => at > now));
	}
}

/** Milliseconds after which nothing is left of the last request: the client's own sockets, n8n's queues. */
const AT_REST_AFTER = 20_000;
