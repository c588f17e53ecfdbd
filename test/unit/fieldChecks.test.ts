import type { INodeParameters } from 'n8n-workflow';

import type { HttpResponse, JsonObject } from '../../nodes/LocalSeo/client';
import { checkFields } from '../../nodes/LocalSeo/rows/fieldChecks';
import { Findings } from '../../nodes/LocalSeo/rows/findings';
import { readService } from '../support/readService';
import { rowContext } from '../support/rowContext';
import { VirtualClock } from '../support/virtualClock';

const HOUR = 3_600_000;
const clock = new VirtualClock();
const now = () => clock.now();
const iso = (time: number) => new Date(time).toISOString();
const whole = { title: 'Bread', content: 'Fresh', stars: 5, is_open: true };
const posts = [1, 2, 3].map((id) => ({ id: `post_${id}`, ...whole }));

const requestOf = (body: JsonObject, method: 'POST' | 'PATCH' = 'POST') => ({
	method,
	path: '/locations/{locationId}/posts',
	ids: { locationId: 'loc_1' },
	query: {},
	body,
	noun: 'content post',
});

/** What is found out about a row beside these records. */
async function check(
	body: JsonObject,
	{
		records = posts as JsonObject[],
		method = 'POST' as 'POST' | 'PATCH',
		resource = 'post',
		serviceAhead = 0,
	} = {},
) {
	const { connection } = readService(clock, {
		'/locations/loc_1/posts': records,
		'/locations': resource === 'location' ? records : [],
	});
	const { transport } = connection;
	connection.transport = async (request) => {
		const response = (await transport(request)) as HttpResponse;
		const date = new Date(clock.now() + serviceAhead).toUTCString();
		return { ...response, headers: { date } };
	};
	const parameters = { resource, operation: 'create', options: {} } as INodeParameters;
	const context = Object.assign(rowContext({ parameters }), { getTimezone: () => 'UTC' });
	const findings = new Findings(context);
	await clock.run(checkFields(context, connection, requestOf(body, method), findings));
	return { problems: [...findings.problems], warnings: [...findings.warnings] };
}
const fine = { problems: [], warnings: [] };

test('a row like the others is fine', async () => {
	expect(await check(whole)).toEqual(fine);
});

describe('a field that is missing', () => {
	test('is mentioned where the node knows it and every record has it', async () => {
		const { problems, warnings } = await check({ title: 'Rolls', content: '' });
		expect(problems).toEqual([]);
		expect(warnings).toEqual([
			'The field "content" is missing. Every content post that was looked at has it: the service may refuse one without.',
		]);
	});

	test('is none for an update, where few records are known, or where one lacks it, too', async () => {
		const title = { title: 'Rolls' };
		expect(await check(title, { method: 'PATCH' })).toEqual(fine);
		expect(await check(title, { records: posts.slice(1) })).toEqual(fine);
		const records = [...posts, { id: 'post_4', title: 'Without' }];
		expect(await check(title, { records })).toEqual(fine);
	});
});

describe('a value', () => {
	test('that can not be of the type of the others is a problem', async () => {
		const { problems } = await check({ ...whole, stars: 'many' });
		expect(problems).toEqual([
			'The field "stars" is not a number. Its value is "many". Other content posts have a number there.',
		]);
	});

	test('that could be converted is mentioned, with how to have that done', async () => {
		expect((await check({ ...whole, stars: '5' })).warnings).toEqual([
			'The field "stars" is text, not a number. Its value is "5". Other content posts have a number there. To have it converted, map each column manually.',
		]);
		expect((await check({ ...whole, title: 7 })).warnings).toEqual([
			'The field "title" is a number, not text. Its value is 7. Other content posts have text there.',
		]);
	});

	test('that is a date is a text, too; what is empty is not looked at', async () => {
		expect(await check({ ...whole, title: '2999-01-01' })).toEqual(fine);
		expect(await check({ ...whole, stars: '' })).toEqual(fine);
	});

	test('that is long is cut in what is said of it', async () => {
		const [problem] = (await check({ ...whole, stars: 'x'.repeat(200) })).problems;
		expect(problem).toContain(`Its value is "${'x'.repeat(99)}…. Other`);
		const [short] = (await check({ ...whole, stars: 'x'.repeat(98) })).problems;
		expect(short).toContain(`Its value is "${'x'.repeat(98)}". Other`);
	});

	test('in a field that no record has is mentioned, where there are records', async () => {
		const odd = { ...whole, colour: 'red', toString: 'x' };
		expect((await check(odd)).warnings).toEqual(
			['colour', 'toString'].map(
				(name) =>
					`None of the content posts that were looked at has a field "${name}". The service may ignore it or refuse it: check its spelling.`,
			),
		);
		expect(await check(odd, { records: [] })).toEqual(fine);
		expect(await check({ ...whole, id: 'mine' })).toEqual(fine);
	});
});

describe('a field that the node knows', () => {
	const records = [{ id: 'loc_1', name: 'Bakery East' }];
	const of = async (row: JsonObject, resource: string) =>
		(await check(row, { records, resource, method: 'PATCH' })).warnings;

	test('is known also where no record has it, unless its name is assumed', async () => {
		expect(await of({ city: 'Leeds' }, 'location')).toEqual([]);
		expect(await of({ colour: 'red' }, 'location')).toHaveLength(1);
		expect(await of({ title: 'Bread' }, 'post')).toHaveLength(1);
	});
});

describe('a time that is none', () => {
	const warningsFor = async (name: string, value: unknown, others: unknown[] = []) => {
		const records = others.map((other, id) => ({ id, ...whole, [name]: other }));
		return (await check({ ...whole, [name]: value }, { records })).warnings;
	};

	test('is mentioned where something is to happen then, with how to write it', async () => {
		expect(await warningsFor('publish_at', '25.12.2026')).toEqual([
			'The field "publish_at" is not a date that every service reads. Its value is "25.12.2026". Write it as 2026-12-31 or 2026-12-31T18:00.',
		]);
		expect(await warningsFor('publishAt', 46_381)).toHaveLength(1);
		expect(await warningsFor('go_live_date', 'soon')).toHaveLength(1);
	});

	test.each([
		['a date', 'publish_at', '2999-12-31'],
		['no time by its name', 'schedule', 'weekly'],
		['a time that has been', 'created_at', 'soon'],
		['about something else in the end', 'starts_at_schedule', 'weekly'],
	])('is not what it is where it is %s', async (_, name, value) => {
		expect(await warningsFor(name, value)).toEqual([]);
	});

	test('is mentioned once, by the type of the others where they have one', async () => {
		const dates = ['2026-01-01', '2026-01-02'];
		expect(await warningsFor('publish_at', '25.12.2026', dates)).toEqual([]);
		expect(await warningsFor('publish_at', 46_381, ['soon', 'later'])).toEqual([
			expect.stringContaining('is a number, not text'),
		]);
	});
});

describe('a time', () => {
	const over = async (name: string, value: string) =>
		(await check({ ...whole, [name]: value }, { records: [] })).problems.length === 1;

	test('at which something is to happen must not be over', async () => {
		const { problems } = await check({ ...whole, publish_at: '2020-01-01T09:00:00Z' });
		expect(problems).toEqual([
			'The field "publish_at" is in the past: "2020-01-01T09:00:00Z". Enter a later time, or leave it empty.',
		]);
		expect(await over('publish_at', iso(now() - 1_000))).toBe(true);
		expect(await over('publish_at', iso(now() + HOUR))).toBe(false);
	});

	test.each([
		'publish_at',
		'publishAt',
		'scheduled_for',
		'post_schedule_date',
		'goLiveOn',
		'publish',
	])('is meant by %s', async (name) => expect(await over(name, '2020-01-01T09:00:00Z')).toBe(true));

	test.each(['published_at', 'starts_at', 'republish', 'publish_at_all', 'created_at', 'date'])(
		'is not meant by %s',
		async (name) => expect(await over(name, '2020-01-01T09:00:00Z')).toBe(false),
	);

	test('is over by the clock of the service', async () => {
		const soon = { ...whole, publish_at: iso(now() + HOUR) };
		const overIn = async (serviceAhead: number) => {
			const { problems } = await check(soon, { records: [], serviceAhead });
			return problems.length;
		};
		expect([await overIn(0), await overIn(2 * HOUR), await overIn(-2 * HOUR)]).toEqual([0, 1, 0]);
	});

	test.each([
		['2026-02-09', false],
		['2026-02-08', true],
	])('that is the day %s is over at noon of the tenth: %p', async (day, isOver) => {
		clock.moveTo(Date.UTC(2026, 1, 10, 12));
		expect(await over('publish_at', day)).toBe(isOver);
	});

	test('without a zone is over a day later, and a day once it has ended everywhere', async () => {
		const plain = (time: number) => iso(time).slice(0, 19);
		expect(await over('publish_at', plain(now() - 23 * HOUR))).toBe(false);
		expect(await over('publish_at', plain(now() - 25 * HOUR))).toBe(true);
		const day = (time: number) => iso(time).slice(0, 10);
		expect(await over('publish_at', day(now() - 24 * HOUR))).toBe(false);
		expect(await over('publish_at', day(now() - 72 * HOUR))).toBe(true);
		expect(await over('publish_at', new Date(now() - HOUR).toUTCString())).toBe(true);
	});
});
