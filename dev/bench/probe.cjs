/*
 * A hook file of n8n (EXTERNAL_HOOK_FILES) that shows what n8n's process holds. Every few seconds it
 * appends a line to the file that PROBE_FILE names; soakProbe.ts describes its fields.
 */
const { appendFileSync } = require('node:fs');
const { Socket } = require('node:net');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const EVERY_MS = 5_000;
const { PROBE_FILE, PROBE_PORT } = process.env;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const warnings = [];
process.on('warning', ({ name, message, stack }) => warnings.push({ name, message, stack }));

/** How many executions ended, by workflow and status. */
const executions = {};

/** All timers made as signals: the only kind that a community node may have. */
const timers = new Set();
const { timeout } = AbortSignal;
AbortSignal.timeout = function (...args) {
	const signal = timeout.apply(this, args);
	timers.add(new WeakRef(signal));
	return signal;
};

/** Timers that are held and have not fired. */
function pendingTimers() {
	for (const timer of timers) {
		if (timer.deref()?.aborted !== false) timers.delete(timer);
	}
	return timers.size;
}

function countBy(names) {
	const counts = {};
	for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
	return counts;
}

async function look() {
	// What finalizers release is only collected the next time.
	for (let times = 0; times < 2; times++) {
		collectGarbage();
		await new Promise(setImmediate);
	}
	const { heapUsed, rss } = process.memoryUsage();
	const handles = process._getActiveHandles();
	const toService = handles.filter(
		(handle) => handle instanceof Socket && handle.remotePort === Number(PROBE_PORT),
	);
	const line = {
		at: Date.now(),
		heapUsed,
		rss,
		resources: countBy(process.getActiveResourcesInfo()),
		socketsToService: toService.length,
		timers: pendingTimers(),
		listeners: Object.fromEntries(
			process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
		),
		warnings,
		executions,
	};
	appendFileSync(PROBE_FILE, `${JSON.stringify(line)}\n`);
	setTimeout(look, EVERY_MS).unref();
}

module.exports = {
	n8n: {
		ready: [
			async function () {
				void look();
			},
		],
	},
	workflow: {
		postExecute: [
			async function (run, { name }) {
				const counts = (executions[name] ??= {});
				const status = run?.status ?? 'unknown';
				counts[status] = (counts[status] ?? 0) + 1;
			},
		],
	},
};
