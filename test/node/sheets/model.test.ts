import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { byId, incomingRow } from '../../support/fixture';
import { type Fields, type Service, useBackend } from '../ordinary/backend';

// Sheets drawn at random beside a model: a careful person who reads row after row and does by hand what
// it says. The account has records already, some of them in the sheet, in the spellings of people.
// `SHEETS=3000 SEED=7` draws more, and others.

const backend = useBackend();

const RUNS = Number(process.env.SHEETS ?? 25);
const SEED = Number(process.env.SEED ?? 20_261_126);

/** Spellings that a person takes for the same text. */
const SPELLINGS: Array<(text: string) => string> = [
	(text) => text,
	(text) => text.normalize('NFD'),
	(text) => ` ${text}`,
	(text) => text.replace(' ', '  '),
	(text) => text.replace(' ', '\u00a0'),
	(text) => `${text} \n`,
];
const spelled = (...texts: string[]) =>
	fc
		.tuple(fc.constantFrom(...texts), fc.constantFrom(...SPELLINGS))
		.map(([text, spelling]) => spelling(text));
const orBlank = <T>(value: fc.Arbitrary<T>) =>
	fc.oneof(
		{ arbitrary: value, weight: 3 },
		{ arbitrary: fc.constantFrom('', '  ', null), weight: 1 },
	);
const sheetOf = <T>(row: fc.Arbitrary<T>) => fc.array(row, { minLength: 1, maxLength: 6 });

const read = (value: unknown) =>
	String(value ?? '')
		.normalize()
		.replace(/\s+/g, ' ')
		.trim();
/** Two values that mean the same; a spreadsheet makes 1067 of 01067. */
function isSame(one: unknown, other: unknown): boolean {
	const [a, b] = [read(one), read(other)];
	return a === b || (a !== '' && b !== '' && Number(a) === Number(b));
}

interface Sheet {
	service: Service;
	parameters: INodeParameters;
	options?: INodeParameters;
	rows: Fields[];
}

/** What became of each row, or would; and what was sent. Each item belongs to its row. */
async function play({ service, parameters, options, rows }: Sheet, dryRun = false) {
	const before = service.calls.length;
	const settings = { onError: 'continueRegularOutput' } as const;
	const { items } = await service.run({ ...parameters, options: { ...options, dryRun } }, rows, {
		timezone: 'America/New_York',
		settings,
	});
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	const sent = service.calls.slice(before).filter(({ method }) => method !== 'GET');
	const outcomes = items.map(({ json }) => String(json.outcome ?? json.action ?? 'failed'));
	const said = items.map(({ json }) => JSON.stringify(json.error ?? json.problem ?? ''));
	return { outcomes, sent, said };
}

const DONE: Record<string, string> = { create: 'created', update: 'updated', invalid: 'failed' };

/** Checked first, which sends nothing and foretells each row; then run. */
async function run(sheet: Sheet, skipped: 'skipped' | 'unchanged') {
	const dry = await play(sheet, true);
	expect(dry.sent).toEqual([]);
	const real = await play(sheet);
	const foretold = dry.outcomes.map((action) => DONE[action] ?? skipped);
	expect([real.said, foretold]).toEqual([real.said, real.outcomes]);
	const count = (outcome: string) => real.outcomes.filter((one) => one === outcome).length;
	const sent = (method: string) => real.sent.filter((call) => call.method === method).length;
	expect([sent('POST'), sent('PATCH')]).toEqual([count('created'), count('updated')]);
	return real;
}

describe('posts of a sheet', () => {
	/** Times as people write them, and what they mean in the zone of the workflow. */
	const TIMES: Record<string, string> = {
		'2027-05-01 10:00': '2027-05-01T14:00:00.000Z',
		'2027-05-01T10:00:00-04:00': '2027-05-01T14:00:00.000Z',
		'2027-06-01': '2027-06-01T04:00:00.000Z',
		'01.06.2027': '2027-06-01T04:00:00.000Z',
		'': '',
	};
	const TITLES = ['Summer sale', 'Größe zählt', 'Open 24/7', 'Neu: 1.50 € 🎉', '10 % off', '2027'];
	const CONTENTS = [
		...['Come by on Sunday from 8 to 12', '<b>Fat</b> & more', 'Line one\nline two', '007'],
		...['Grüße 🎄 https://a.example/x', 'Grüße 🎄 https://a.example/y', '-5 Grad', '5 Grad'],
	];
	const location = fc.nat({ max: 1 });
	const row = fc.record({
		location,
		title: spelled(...TITLES.slice(0, 3)),
		content: spelled(...CONTENTS.slice(0, 4)),
		publish_at: fc.constantFrom(...Object.keys(TIMES)),
		type: orBlank(fc.constantFrom('update', 'offer')),
	});
	const other = fc.record({
		location,
		title: spelled(...TITLES),
		content: spelled(...CONTENTS),
		publish_at: fc.constantFrom(...Object.keys(TIMES)),
		type: orBlank(fc.constantFrom('update', 'offer')),
	});
	const there = fc.record({
		location,
		title: fc.constantFrom(...TITLES.slice(0, 3)),
		content: fc.constantFrom(...CONTENTS.slice(0, 4)),
		publish_at: fc.constantFrom('2027-05-01T14:00:00.000Z', '2026-01-01T10:00:00.000Z', null),
		type: fc.constantFrom('update', null),
	});
	const drawn = fc.record({
		rows: fc.oneof(sheetOf(row), sheetOf(other)),
		there: fc.uniqueArray(there, { maxLength: 4, selector: (post) => JSON.stringify(post) }),
		ifExists: fc.constantFrom('skip', 'create'),
	});

	const PLANNED = { title: 'Planned', content: 'Later', publish_at: '2027-01-01T10:00:00Z' };
	type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

	const timeOf = ({ publish_at: time }: Fields) =>
		TIMES[String(time)] ?? (time ? new Date(String(time)).toISOString() : '');
	const textsOf = ({ location_id, title, content }: Fields) =>
		JSON.stringify([location_id, read(title), read(content)]);
	const asSent = (post: Fields) => [textsOf(post), timeOf(post), read(post.type)].join(' at ');

	test(`${RUNS} drawn sheets: what a row says is posted once, at its time, and skipped if it is there`, async () => {
		const check = async ({ rows: of, there: posts, ifExists }: Drawn) => {
			const service = backend();
			const at = ({ location: index, ...fields }: { location: number } & Fields): Fields => ({
				location_id: service.location(index),
				...fields,
			});
			// An account that shows times: without one, a post without a time may have lost it.
			for (const index of [0, 1]) service.add('posts', at({ ...PLANNED, location: index }));
			const known: Fields[] = posts.map((post) => service.add('posts', at(post)));
			const rows = of.map(at);
			const parameters = {
				...{ resource: 'post', operation: 'create', ifExists, fields: incomingRow },
				locationId: byId('={{ $json.location_id }}'),
			};
			const sheet = { service, parameters, rows };
			const { outcomes, sent, said } = await run(sheet, 'skipped');

			for (const [index, one] of rows.entries()) {
				const alike = known.filter((post) => textsOf(post) === textsOf(one));
				const isThere = alike.some((post) => timeOf(post) === timeOf(one));
				const what = `${JSON.stringify(one)}: ${said[index]}`;
				const allowed = [
					...(ifExists === 'skip' && isThere ? ['skipped'] : ['created']),
					// Nothing tells a row without a time from the same text that has one.
					...(ifExists === 'skip' && alike.length > 0 && timeOf(one) === '' ? ['skipped'] : []),
				];
				const mayBeAsked =
					ifExists === 'skip' && /with the same .+ already exists/.test(said[index]);
				if (!mayBeAsked)
					expect([what, allowed]).toEqual([what, expect.arrayContaining([outcomes[index]])]);
				if (outcomes[index] === 'created') known.push(one);
			}
			const posted = rows.filter((_, index) => outcomes[index] === 'created').map(asSent);
			const bodies = sent.map(({ id, fields }) => asSent({ location_id: id, ...fields }));
			expect(bodies.sort()).toEqual(posted.sort());

			if (ifExists === 'create') return;
			const again = await play(sheet);
			expect(again.sent).toEqual([]);
			expect(again.outcomes).toEqual(outcomes.map((one) => (one === 'failed' ? one : 'skipped')));
		};
		await fc.assert(fc.asyncProperty(drawn, check), { numRuns: RUNS, seed: SEED });
	}, 3_600_000);
});

describe('locations of a sheet: Create or Update', () => {
	const NAMES = [
		'Bäckerei Süd',
		"Joe's Shop",
		'Zahnarzt Berlin-Mitte',
		'日本 寿司',
		'Shop 10',
		'Shop 1',
	];
	const ADDRESSES = ['Hauptstr. 1', 'Hauptstr. 11', 'Unit 1, 12 Mill Lane'];
	const CODES = ['A-100', 'A-1000', 'B 7', '42'];
	const more = {
		city: orBlank(spelled('Berlin', 'München', 'Köln am Rhein')),
		phone: orBlank(fc.constantFrom('+49 30 1234', '0113 496 0000')),
		postal_code: orBlank(fc.constantFrom('01067', 1067, '80331', 80331)),
		website: orBlank(fc.constantFrom('https://a.example/x', 'https://a.example/y?b=1&c=2')),
		open_sunday: orBlank(fc.boolean()),
	};
	const key = {
		name: spelled(...NAMES),
		address: spelled(...ADDRESSES),
		external_ref: fc.constantFrom(...CODES),
	};
	const location = fc.record({
		name: fc.constantFrom(...NAMES),
		address: fc.constantFrom(...ADDRESSES),
		external_ref: fc.constantFrom(...CODES),
		city: fc.constantFrom('Berlin', null),
		phone: fc.constantFrom('0113 496 0000', null),
		postal_code: fc.constantFrom('01067', 80331, null),
		open_sunday: fc.constantFrom(true, null),
	});

	test.each([['name', 'address'], ['name'], ['external_ref']])(
		`${RUNS} drawn sheets, matched by %s %s: each row ends as one location with its values`,
		async (...match) => {
			const keyOf = (of: Fields) => JSON.stringify(match.map((field) => read(of[field])));
			const drawn = fc.record({
				rows: sheetOf(fc.record({ ...key, ...more })),
				// One at least, so that the account has the field.
				there: fc.uniqueArray(location, { minLength: 1, maxLength: 4, selector: keyOf }),
			});
			const check = async ({ rows, there }: { rows: Fields[]; there: Fields[] }) => {
				const service = backend();
				for (const one of there) service.add('locations', one);
				const model = service.records.locations.map((one) => ({ ...one }));
				const expected = rows.map((row) => {
					const filled = Object.entries(row).filter(([, value]) => read(value) !== '');
					const known = model.find((one) => keyOf(one) === keyOf(row));
					if (!known) model.push(Object.fromEntries(filled));
					if (!known) return 'created';
					const changed = filled.filter(([name, value]) => !isSame(known[name], value));
					Object.assign(known, Object.fromEntries(changed));
					return changed.length > 0 ? 'updated' : 'unchanged';
				});
				const sheet = {
					service,
					rows,
					parameters: { resource: 'location', operation: 'upsert', fields: incomingRow },
					options: { matchFields: match.join(', ') },
				};
				const { outcomes, said } = await run(sheet, 'unchanged');
				expect([said, outcomes]).toEqual([said, expected]);
				const asModel = () => {
					const { locations } = service.records;
					expect(locations).toHaveLength(model.length);
					// Rows are sent side by side: they may arrive in any order.
					for (const one of model) {
						const made = locations.find(({ id, ...location }) =>
							one.id === undefined ? keyOf(location) === keyOf(one) : id === one.id,
						);
						for (const [name, value] of Object.entries(one)) {
							const shown = made?.[name];
							expect([name, value, shown, isSame(shown, value)]).toEqual([
								name,
								value,
								shown,
								true,
							]);
						}
					}
				};
				asModel();

				// Rows that disagree are written again, and come to the same.
				const again = await play(sheet);
				asModel();
				expect(again.sent.filter(({ method }) => method === 'POST')).toEqual([]);
				const disagree = rows.some((row, at) =>
					rows
						.slice(at + 1)
						.some(
							(other) =>
								keyOf(row) === keyOf(other) &&
								Object.keys(row).some(
									(name) =>
										read(row[name]) !== '' &&
										read(other[name]) !== '' &&
										!isSame(row[name], other[name]),
								),
						),
				);
				if (!disagree) expect(again.sent).toEqual([]);
			};
			await fc.assert(fc.asyncProperty(drawn, check), { numRuns: RUNS, seed: SEED });
		},
		3_600_000,
	);
});
