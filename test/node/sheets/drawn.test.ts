import countBy from 'lodash/countBy';
import type { INodeParameters } from 'n8n-workflow';

import { systemClock } from '../../../nodes/LocalSeo/client';
import { byId, columns, goOn, incomingRow } from '../../support/fixture';
import { type DrawnBy, fc, RUNS } from '../../support/random';
import { type Fields, type Service, useBackend } from '../backend';

// Sheets drawn at random: what a run, its dry run, its repeat and the same rows in another order have to do
// with each other, whatever is in them. FAULT_RUNS=1000 draws more.

const backend = useBackend();
jest.setTimeout(1_200_000 + RUNS * 10_000);
beforeAll(() => {
	jest.spyOn(systemClock, 'wall').mockImplementation(() => Date.UTC(2026, 10, 25, 9));
});

/** Spellings of one text. */
const SPELLINGS: Array<(text: string) => string> = [
	(text) => text,
	(text) => text.normalize('NFD'),
	(text) => `  ${text.replace(' ', '\u00a0 ')}\n`,
	(text) => text.replace(' ', ' \u200b'),
];
const HTML: typeof SPELLINGS = [
	(text) => `<p>${text.replace(' ', '<br>')}</p>`,
	(text) => text.replace('&', '&amp;'),
];
const spelled = (texts: string[], spellings = SPELLINGS) =>
	fc
		.tuple(fc.constantFrom(...texts), fc.constantFrom(...spellings))
		.map(([text, spell]) => spell(text));
const orBlank = <T>(...values: T[]) => fc.constantFrom(...values, ...values, '', '  ', null);
const sheetOf = <T>(row: fc.Arbitrary<T>) => fc.array(row, { minLength: 1, maxLength: 7 });
/** What a person reads. */
const read = (value: unknown) =>
	String(value ?? '')
		.normalize()
		.replace(/[\s\u200b]+/g, ' ')
		.trim();

/** What became of each row, or would, in what words; and what was sent. */
async function play(service: Service, parameters: INodeParameters, rows: Fields[]) {
	const before = service.calls.length;
	const { items, json } = await service.run(parameters, {
		...{ rows, ...goOn, timezone: 'Europe/Berlin' },
	});
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	return {
		items: json,
		outcomes: json.map(({ outcome, action }) => String(action ?? outcome ?? 'failed')),
		words: json.map(({ error, problem = '' }) => {
			const { message = problem } = (error ?? {}) as Fields;
			return String(message).replace(/^item \d+( \(".*?"\))?: /i, '');
		}),
		sent: service.calls.slice(before).filter(({ method }) => method !== 'GET'),
	};
}

const FORETOLD: Record<string, string> = {
	...{ create: 'created', update: 'updated', skip: 'skipped', unchanged: 'unchanged' },
	...{ invalid: 'failed', failed: 'failed' },
};

/** A dry run sends nothing and says what becomes of each row; what is sent is what was said to be. */
async function run(service: Service, parameters: INodeParameters, rows: Fields[]) {
	const dry = await play(service, { ...parameters, dryRun: true }, rows);
	expect(dry.sent).toEqual([]);
	const real = await play(service, parameters, rows);
	expect([real.outcomes, real.words]).toEqual([
		dry.outcomes.map((action) => FORETOLD[action]),
		dry.words,
	]);
	const writes = real.outcomes.filter((outcome) => /created|updated/.test(outcome));
	expect(real.sent).toHaveLength(writes.length);
	return real;
}

/** Cells for a time, and the time. */
const [TEN, NINE] = ['2027-12-24T09:00:00Z', '2027-12-24T08:00:00Z'];
const TIMES: Array<[cell: unknown, time?: string]> = [
	...[TEN, '2027-12-24T10:00:00', '2027-12-24 10:00', '24.12.2027 10:00', 'Dec 24, 2027 10:00'].map(
		(cell): [unknown, string] => [cell, TEN],
	),
	...['2027-12-24T09:00:00+01:00', 46_745.375, '46745.375'].map((cell): [unknown, string] => [
		cell,
		NINE,
	]),
	['2026-11-25T08:00:00Z', '2026-11-25T08:00:00Z'],
	...['2026-11-20', 'TBD', '#REF!', '10:00', ' ', null].map((cell): [unknown] => [cell]),
];
const all = [...SPELLINGS, ...HTML];
const post = fc.record({
	shop: fc.nat(1),
	title: fc.oneof(
		{ weight: 9, arbitrary: spelled(['Brot & Brötchen', 'Advent im Café'], all) },
		orBlank(''),
	),
	content: fc.oneof(
		{ weight: 9, arbitrary: spelled(['Warm & frisch', 'Von 8 bis 12'], all) },
		orBlank(''),
	),
	time: fc.constantFrom(...TIMES),
});
const postSheets = fc.record({
	rows: sheetOf(post),
	there: fc.array(post, { maxLength: 4 }),
	whenToPublish: fc.constantFrom('scheduled', 'scheduled', 'now'),
	ifExists: fc.constantFrom('skip', 'skip', 'create'),
	matchFields: fc.constantFrom('', '', 'title', 'title, publish_at'),
	isMapped: fc.boolean(),
});

test('posts: the rows and the account decide, a dry run says it, and a repeat posts nothing', async () => {
	const check = async (drawn: DrawnBy<typeof postSheets>) => {
		const { there, whenToPublish, ifExists, matchFields, isMapped } = drawn;
		// It shows each field of a post, filled or not.
		const stores = (fields: Fields) => ({
			title: null,
			content: null,
			publish_at: null,
			...fields,
		});
		const start = () => {
			const service = backend({ stores });
			for (const {
				shop,
				time: [, publish_at = null],
				...texts
			} of there) {
				service.add('posts', { ...texts, publish_at, location_id: service.location(shop) });
			}
			return service;
		};
		const rowsOf = (service: Service) =>
			drawn.rows.map(({ shop, time: [publish_at], ...texts }) => {
				const row = { ...texts, location_id: service.location(shop) };
				return whenToPublish === 'now' ? row : { ...row, publish_at };
			});
		const names = ['title', 'content', ...(whenToPublish === 'now' ? [] : ['publish_at'])];
		const parameters = {
			...{ resource: 'post', operation: 'create', whenToPublish, ifExists },
			locationId: byId('={{ $json.location_id }}'),
			fields: isMapped
				? columns(Object.fromEntries(names.map((name) => [name, `={{ $json.${name} }}`])))
				: incomingRow,
			options: { ...(matchFields !== '' && { matchFields }) },
		};

		const service = start();
		const rows = rowsOf(service);
		const first = await run(service, parameters, rows);
		for (const [index, { id }] of first.items.entries()) {
			if (first.outcomes[index] !== 'created') continue;
			const made = service.all('posts').filter((one) => one.id === id);
			const { title, content, location_id } = rows[index];
			expect(made).toMatchObject([{ location_id }]);
			expect([made[0].title, made[0].content].map(read)).toEqual([title, content].map(read));
			const [, time = ''] = whenToPublish === 'now' ? [] : drawn.rows[index].time;
			expect(Date.parse(String(made[0].publish_at))).toBe(Date.parse(time));
		}
		const again = await play(service, { ...parameters, ifExists: 'skip' }, rows);
		// Other match fields may let a row through that was refused.
		if (ifExists === 'skip' || !first.outcomes.includes('failed'))
			expect([again.sent, again.words]).toEqual([[], again.words]);
		if (ifExists === 'skip')
			expect(countBy(again.outcomes).failed).toBe(countBy(first.outcomes).failed);

		const other = start();
		const back = await play(other, parameters, rowsOf(other).reverse());
		expect([countBy(back.outcomes), back.words]).toEqual([countBy(first.outcomes), back.words]);
	};
	await fc.assert(fc.asyncProperty(postSheets, check), { numRuns: 2 * RUNS });
});

const NAMES = ['Bäckerei Süd', "Joe's Shop", '日本 寿司', 'Shop 10', 'Shop 1'];
const ADDRESSES = ['Hauptstr. 1', 'Hauptstr. 11', 'Unit 1, 12 Mill Lane'];
const reference = { external_ref: fc.constantFrom('A-100', 'A-1000', 'B 7', '42') };
const shop = fc.record({
	...{ name: spelled(NAMES), address: spelled(ADDRESSES), ...reference },
	city: orBlank('Berlin', ' Berlin', 'Köln am Rhein'),
	postal_code: orBlank('01067', '1067'),
	open_sunday: orBlank(true, false),
});
const old = fc.record({
	...{ name: fc.constantFrom(...NAMES), address: fc.constantFrom(...ADDRESSES), ...reference },
	city: fc.constantFrom('Berlin', null),
	postal_code: fc.constantFrom('01067', null),
	open_sunday: fc.constantFrom(true, null),
});
const keyOf = (match: string[]) => (one: Fields) => match.map((name) => read(one[name])).join('|');
const shopSheets = fc
	.constantFrom<string[]>(['name', 'address'], ['name'], ['external_ref'])
	.chain((match) =>
		fc.record({
			match: fc.constant(match),
			rows: sheetOf(shop) as fc.Arbitrary<Fields[]>,
			// One at least, so that the account has the fields.
			there: fc.uniqueArray(old, { minLength: 1, maxLength: 4, selector: keyOf(match) }),
		}),
	);

test('Create or Update: each row ends as one location with its values, or as an error', async () => {
	const check = async ({ match, rows, there }: DrawnBy<typeof shopSheets>) => {
		const service = backend();
		for (const one of there) service.add('locations', one);
		const parameters = {
			...{ resource: 'location', operation: 'upsert', fields: incomingRow },
			options: { matchFields: match.join(', ') },
		};
		const { outcomes, items } = await run(service, parameters, rows);
		const key = keyOf(match);
		const made = service.all('locations');
		expect(Object.values(countBy(made.slice(2), key))).toEqual(made.slice(2).map(() => 1));
		for (const [index, row] of rows.entries()) {
			if (outcomes[index] === 'failed') {
				// Another row says something else of the same location.
				expect(rows.filter((one) => key(one) === key(row)).length).toBeGreaterThan(1);
				continue;
			}
			const record = made.find(({ id }) => id === items[index].id)!;
			for (const [name, value] of Object.entries(row))
				if (read(value) !== '') expect([name, read(record[name])]).toEqual([name, read(value)]);
		}
		expect((await play(service, parameters, rows)).sent).toEqual([]);
	};
	await fc.assert(fc.asyncProperty(shopSheets, check));
});
