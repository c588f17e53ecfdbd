import groupBy from 'lodash/groupBy';
import type { INodeParameters } from 'n8n-workflow';

import { goOn, incomingRow } from '../../support/fixture';
import { type DrawnBy, fc } from '../../support/random';
import { type Fields, type Service, useBackend } from '../backend';

// Sheets drawn at random beside a model: a careful person who reads row after row and does by hand what
// it says. The account has records already, some of them in the sheet, in the spellings of people.

const backend = useBackend();

/** Spellings that a person takes for the same text. */
const SPELLINGS: Array<(text: string) => string> = [
	(text) => text,
	(text) => text.normalize('NFD'),
	(text) => ` ${text}`,
	(text) => text.replace(' ', '\u00a0 '),
	(text) => `${text} \n`,
];
const spelled = (texts: string[]) =>
	fc
		.tuple(fc.constantFrom(...texts), fc.constantFrom(...SPELLINGS))
		.map(([text, spelling]) => spelling(text));
const orBlank = (...values: unknown[]) => fc.constantFrom(...values, ...values, '', '  ', null);
const sheetOf = <T>(row: fc.Arbitrary<T>) => fc.array(row, { minLength: 1, maxLength: 6 });
const read = (value: unknown) =>
	String(value ?? '')
		.normalize()
		.replace(/\s+/g, ' ')
		.trim();

/** What became of each row, or would, with what it says; and what was sent. */
async function play(service: Service, parameters: INodeParameters, rows: Fields[]) {
	const before = service.calls.length;
	const { items } = await service.run(parameters, { rows, ...goOn });
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	const calls = service.calls.slice(before).filter(({ method }) => method !== 'GET');
	const outcomes = items.map(({ json }) => String(json.outcome ?? json.action ?? 'failed'));
	const said = items.map(({ json }) => JSON.stringify(json.error ?? json.problem ?? ''));
	return { outcomes, calls, said };
}

/** First a dry run, which sends nothing and foretells each row. */
async function run(service: Service, parameters: INodeParameters, rows: Fields[]) {
	const dry = await play(service, { ...parameters, dryRun: true }, rows);
	expect(dry.calls).toEqual([]);
	const real = await play(service, parameters, rows);
	const done: Fields = { create: 'created', update: 'updated', skip: 'unchanged' };
	const foretold = dry.outcomes.map((action) => done[action] ?? 'failed');
	expect([real.said, foretold]).toEqual([real.said, real.outcomes]);
	const sent = real.calls.map(({ method }) => (method === 'POST' ? 'created' : 'updated'));
	const changed = real.outcomes.filter((outcome) => sent.includes(outcome as 'created'));
	expect(sent.sort()).toEqual(changed.sort());
	return real;
}

const NAMES = ['Bäckerei Süd', "Joe's Shop", '日本 寿司', 'Shop 10', 'Shop 1'];
const ADDRESSES = ['Hauptstr. 1', 'Hauptstr. 11', 'Unit 1, 12 Mill Lane'];
const MATCHES = [['name', 'address'], ['name'], ['external_ref']];
const reference = { external_ref: fc.constantFrom('A-100', 'A-1000', 'B 7', '42') };
const row = fc.record({
	...{ name: spelled(NAMES), address: spelled(ADDRESSES), ...reference },
	city: orBlank('Berlin', ' Berlin', 'Köln am Rhein'),
	phone: orBlank('+49 30 1234', '0113 496 0000'),
	postal_code: orBlank('01067', '80331'),
	open_sunday: orBlank(true, false),
});
const old = fc.record({
	...{ name: fc.constantFrom(...NAMES), address: fc.constantFrom(...ADDRESSES), ...reference },
	city: fc.constantFrom('Berlin', null),
	phone: fc.constantFrom('0113 496 0000', null),
	postal_code: fc.constantFrom('01067', '80331', null),
	open_sunday: fc.constantFrom(true, null),
});
const keyBy = (match: string[]) => (of: Fields) =>
	JSON.stringify(match.map((field) => read(of[field])));
const drawn = fc.constantFrom(...MATCHES).chain((match) =>
	fc.record({
		match: fc.constant(match),
		rows: sheetOf(row) as fc.Arbitrary<Fields[]>,
		// One at least, so that the account has the field.
		there: fc.uniqueArray(old, { minLength: 1, maxLength: 4, selector: keyBy(match) }),
	}),
);
/** Whatever is not equal as text is sent: "01060" can be corrected to "1060". */
const isSame = (one: unknown, other: unknown) => String(one ?? '') === String(other ?? '');
const filled = (of: Fields) => Object.entries(of).filter(([, value]) => read(value) !== '');
const valuesOf = (of: Fields) =>
	filled(of)
		.map(([name, value]) => [name, read(value)])
		.sort();
const changes = (from: Fields, to: Fields) =>
	Object.fromEntries(filled(to).filter(([name, value]) => !isSame(from[name], value)));

const check = async ({ match, rows, there }: DrawnBy<typeof drawn>) => {
	const keyOf = keyBy(match);
	const service = backend();
	for (const one of there) service.add('locations', one);
	const model = service.all('locations').map((one) => ({ ...one }));
	// Rows that say two things of one location are refused, all of them.
	const ofOne = groupBy(rows, keyOf);
	const areSame = (group: Fields[]) =>
		new Set(group.map((one) => JSON.stringify(valuesOf(one)))).size === 1;
	const expected = rows.map((one) => {
		if (!areSame(ofOne[keyOf(one)])) return 'failed';
		const known = model.find((other) => keyOf(other) === keyOf(one));
		if (ofOne[keyOf(one)][0] !== one) return 'unchanged';
		if (!known) model.push(Object.fromEntries(filled(one)));
		if (!known) return 'created';
		const changed = changes(known, one);
		Object.assign(known, changed);
		return Object.keys(changed).length > 0 ? 'updated' : 'unchanged';
	});
	const expectModel = () => {
		const made = service.all('locations');
		expect(made).toHaveLength(model.length);
		// Rows are sent side by side: they may arrive in any order.
		for (const one of model) {
			const own = made.find(({ id, ...other }) =>
				one.id === undefined ? keyOf(other) === keyOf(one) : id === one.id,
			);
			const values = Object.entries(one).map(([name, value]) => [name, String(value ?? '')]);
			const shown = values.map(([name]) => [name, String(own?.[name] ?? '')]);
			expect(shown).toEqual(values);
		}
	};
	const parameters = {
		...{ resource: 'location', operation: 'upsert', fields: incomingRow },
		options: { matchFields: match.join(', ') },
	};
	const { outcomes, said } = await run(service, parameters, rows);
	expect([said, outcomes]).toEqual([said, expected]);
	expectModel();

	// The second time, nothing is sent.
	const { calls } = await play(service, parameters, rows);
	expectModel();
	expect(calls).toEqual([]);
};

test('each row of Create or Update ends as one location with its values', async () => {
	await fc.assert(fc.asyncProperty(drawn, check));
});
