import type { JsonObject } from '../../nodes/LocalSeo/client';
import { outcomeOf, Trigger } from '../support/polledTrigger';

describe('settings that can never match', () => {
	const locations = [
		{ id: 'loc_1', name: 'Marlow', city: 'Leeds', status: 'active' },
		{ id: 'loc_2', name: 'Henley', city: 'York', rank_score: 50 },
	];
	const CASES: Array<[string, JsonObject, RegExp, RegExp]> = [
		[
			'a location that is gone',
			{ events: ['postAdded'], locationIds: ['loc_9'] },
			/^No location has the ID "loc_9"$/,
			/^Correct 'Location Names or IDs'\.$/,
		],
		[
			'one of several that is gone',
			{ events: ['locationChanged'], locationIds: ['loc_1', 'loc_9', 'loc_8'] },
			/^No locations have the IDs "loc_9", "loc_8"$/,
			/^Correct 'Location Names or IDs'\.$/,
		],
		[
			'a name in place of an ID',
			{ events: ['rankScoreChanged'], locationIds: 'henley' },
			/^No location has the ID "henley"$/,
			/^Correct 'Location Names or IDs'\. There is Henley, York \(loc_2\)\.$/,
		],
		[
			'an ID in capitals',
			{ events: ['keywordAdded'], locationIds: ['LOC_2'] },
			/^No location has the ID "LOC_2"$/,
			/^Correct 'Location Names or IDs'\. There is Henley, York \(loc_2\)\.$/,
		],
		[
			'a label in place of a field',
			{ events: ['locationChanged'], options: { fieldsToWatch: 'name, Status' } },
			/^Locations have no field "Status"\. Did you mean "status"\?$/,
			/have: id, name, city, status, rank_score.*'Fields to Watch'/,
		],
		[
			'fields that no location has',
			{ events: ['locationChanged'], options: { fieldsToWatch: 'phone, fax' } },
			/^Locations have no fields "phone", "fax"$/,
			/have: id, name/,
		],
	];
	const triggerWith = (parameters: JsonObject) => {
		const trigger = new Trigger(parameters);
		trigger.locations = locations;
		return trigger;
	};

	test.each(CASES)('are named at activation, and in a sample: %s', async (_, given, ...words) => {
		const [message, description] = words;
		for (const mode of ['trigger', 'manual']) {
			for (const activation of ['activate', 'update']) {
				const trigger = triggerWith(given);
				trigger.mode = mode;
				trigger.activate(activation);
				const error = (await trigger.poll().catch((thrown: unknown) => thrown)) as Error & {
					description: string;
				};
				expect(error.message).toMatch(message);
				expect(error.description).toMatch(description);
				expect(trigger.stored).toEqual({});
			}
		}
	});

	test('where the account has no location, that is said', async () => {
		const trigger = triggerWith({ events: ['postAdded'], locationIds: ['loc_9'] });
		trigger.locations = [];
		expect(await outcomeOf(trigger)).toMatch(/"loc_9" \| .*The account has no locations\./);
	});

	test.each([
		[
			'a location that is selected does not matter',
			{ events: ['locationAdded'], locationIds: ['loc_9'] },
		],
		['fields do not matter', { events: ['postAdded'], options: { fieldsToWatch: 'Status' } }],
		[
			'a field of the interface may come later',
			{ events: ['locationChanged'], options: { fieldsToWatch: 'keywords_count' } },
		],
	])('to the events that are chosen, %s', async (_, parameters) => {
		expect(await outcomeOf(triggerWith(parameters))).toEqual([]);
	});

	describe('later, are a line in the log, once', () => {
		const watching = { events: ['locationChanged'], locationIds: ['loc_1', 'loc_2'] };
		const line = expect.stringMatching(/^Local SEO Trigger: No location has the ID "loc_2"$/);

		test('while the others go on', async () => {
			const trigger = triggerWith(watching);
			await trigger.poll();
			trigger.locations = [locations[0]];
			for (let polls = 0; polls < 3; polls++) expect(await trigger.reported()).toEqual([]);
			expect(trigger.warnings).toEqual([line]);
			trigger.locations = [{ ...locations[0], name: 'Other' }];
			expect(await trigger.reported()).toEqual(['locationChanged loc_1']);
			// A list that lacks it now and then does not fill the log.
			trigger.locations = locations;
			await trigger.poll();
			trigger.locations = [locations[0]];
			await trigger.poll();
			expect(trigger.warnings).toEqual([line]);
		});

		test.each(['init', 'leadershipChange'])('also when n8n itself starts it (%s)', async (mode) => {
			const trigger = triggerWith(watching);
			await trigger.poll();
			trigger.locations = [locations[0]];
			trigger.activate(mode);
			expect(await trigger.reported()).toEqual([]);
			expect(trigger.warnings).toEqual([line]);
		});

		test("also with n8n's scheduler, which makes a context for each poll", async () => {
			const trigger = triggerWith(watching);
			await trigger.poll();
			trigger.locations = [locations[0]];
			trigger.budget = 36_000;
			for (let polls = 0; polls < 3; polls++) {
				trigger.activate('update');
				expect(await trigger.reported()).toEqual([]);
			}
			expect(trigger.warnings).toEqual([line]);
		});
	});

	test.each([
		[
			{ events: ['rankScoreChanged', 'nosuch'] },
			/There is no event "nosuch" \| .*rankScoreChanged/,
		],
		[{ events: ['Rank Scan Completed'] }, /There is no event "Rank Scan Completed"/],
		[
			{ events: ['rankScoreChanged'], options: { direction: 'Down' } },
			/'Direction' must be both, down or up \| .*"Down"/,
		],
		[
			{ events: ['rankScoreChanged'], options: { minimumChange: 'five' } },
			/'Minimum Change' must be a number \| .*"five"/,
		],
	])('%j is refused before anything is sent', async (parameters, words) => {
		const trigger = triggerWith(parameters);
		expect(await outcomeOf(trigger)).toMatch(words);
		expect(trigger.asked).toEqual([]);
	});
});
