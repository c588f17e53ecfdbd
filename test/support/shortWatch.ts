import { watchTimes } from '../../nodes/LocalSeo/client/writes/watchTimes';

/** For tests in real time: what a service may take at most, in milliseconds. */
export function useShortWatch(times: Partial<typeof watchTimes> = {}): void {
	const real = { ...watchTimes };
	beforeAll(() =>
		Object.assign(watchTimes, { unheard: 1_500, answered: 300, stale: 300, ...times }),
	);
	afterAll(() => Object.assign(watchTimes, real));
}
