import { HOUR, MINUTE, outcomeOf, Trigger } from '../support/polledTrigger';

describe('activation while the service refuses', () => {
	/** Activates the workflow, and says how long n8n waited for the poll. */
	const activated = async (trigger: Trigger, mode: string) => {
		trigger.activate(mode);
		const startedAt = trigger.clock.now() + MINUTE;
		const outcome = await outcomeOf(trigger);
		return { outcome, seconds: (trigger.clock.now() - startedAt) / 1_000 };
	};
	const refusing: Array<[string, (trigger: Trigger) => void]> = [
		['429', (trigger) => (trigger.status = () => 429)],
		[
			'429 for an hour',
			(trigger) => {
				trigger.status = () => 429;
				trigger.headers = { 'retry-after': '3600' };
			},
		],
		['503', (trigger) => (trigger.status = () => 503)],
		['no response', (trigger) => (trigger.latency = HOUR)],
		[
			'500 to lists of a location',
			(trigger) => (trigger.status = (path) => (path === '/locations' ? 200 : 500)),
		],
		[
			'429 to lists of a location',
			(trigger) => (trigger.status = (path) => (path === '/locations' ? 200 : 429)),
		],
	];
	const make = () => {
		const trigger = new Trigger({ events: ['postAdded', 'locationChanged'] });
		trigger.locations = Array.from({ length: 20 }, (_, nth) => ({
			id: `loc_${nth}`,
			name: 'Marlow',
		}));
		trigger.budget = 5 * MINUTE;
		return trigger;
	};

	test.each(refusing)('is decided within 20 s: %s', async (_, refuse) => {
		for (const mode of ['activate', 'update', 'init']) {
			const trigger = make();
			refuse(trigger);
			const { outcome, seconds } = await activated(trigger, mode);
			expect(outcome).toMatch(/Rate limit reached|unable to|did not respond|does not respond/);
			expect(seconds).toBeLessThan(20);
			expect(trigger.stored).toEqual({});
		}
	});

	test.each(refusing)('goes on where it was active before: %s', async (_, refuse) => {
		for (const mode of ['activate', 'update', 'init', 'leadershipChange']) {
			const trigger = make();
			await trigger.poll();
			const { status, latency } = trigger;
			refuse(trigger);
			const { outcome, seconds } = await activated(trigger, mode);
			expect([mode, outcome]).toEqual([mode, []]);
			expect(seconds).toBeLessThan(20);
			expect(trigger.warnings.at(-1)).toMatch(/^Local SEO Trigger: .*nothing is lost/i);
			// What happened meanwhile is reported by the next poll.
			Object.assign(trigger, { status, latency, headers: {} });
			trigger.locations = trigger.locations.map((one) => ({ ...one, name: 'Henley' }));
			expect(await trigger.reported()).toHaveLength(20);
		}
	});

	test('a later poll waits as long as n8n lets it, and reports the failure', async () => {
		const trigger = make();
		await trigger.poll();
		trigger.status = () => 429;
		const startedAt = trigger.clock.now();
		expect(await outcomeOf(trigger)).toMatch(/Rate limit reached/);
		expect(trigger.clock.now() - startedAt).toBeGreaterThan(2 * MINUTE);
	});

	test('what someone has to mend is said, whatever was there before', async () => {
		for (const status of [401, 403]) {
			const trigger = make();
			await trigger.poll();
			trigger.status = () => status;
			const { outcome } = await activated(trigger, 'activate');
			expect(outcome).toMatch(/API key/);
		}
	});
});
