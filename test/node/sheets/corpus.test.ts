import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { systemClock } from '../../../nodes/LocalSeo/client';
import { LocalSeo } from '../../../nodes/LocalSeo/LocalSeo.node';
import { editorOf } from '../../support/engine';
import { byId, byName, columns, goOn, incomingRow } from '../../support/fixture';
import { type Call, type Fields, type Service, useBackend } from '../backend';
import account from './corpus/account.json';

// Sheets as people have them: each row comes to what its author means, or is asked about, and is never wrong.

interface Expected {
	/** The location, and the fields; of a list of values, one. */
	to?: string;
	send?: Fields;
	/** It may be refused as well. */
	or?: string;
	refuse?: string;
	skip?: string;
	/** What its refusal names. */
	field?: string;
	value?: string;
}

interface Sheet {
	id: string;
	items: object[];
	mapping: 'auto' | Record<string, string>;
	locationFrom: { mode: 'fixed' | 'id' | 'name'; value?: string; expression?: string };
	zone: string;
	expect: Expected[];
	/** Fields that may be sent or not. */
	free?: string[];
}

const FOLDER = join(__dirname, 'corpus');
const sheets = readdirSync(FOLDER)
	.filter((name) => /^s\d.*\.json$/.test(name))
	.map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Sheet);
const backend = useBackend();
const counts = { right: 0, asked: 0, wrong: 0 };
const { getFields } = new LocalSeo().methods.resourceMapping;

function start(): Service {
	const service = backend();
	service.account.clear();
	for (const location of account.locations) {
		service.add('locations', location);
		for (const post of account.posts) service.add('posts', { location_id: location.id, ...post });
	}
	return service;
}

/** The node as the author of a sheet has set it. */
async function nodeFor({ locationFrom, mapping, expect: rows }: Sheet, { credential }: Service) {
	const { mode, value, expression } = locationFrom;
	const locationId = mode === 'name' ? byName(expression) : byId(expression ?? value);
	// Where a time is mapped, or a column is a time.
	const hasTimes = 'publish_at' in Object(mapping) || rows.some(({ send }) => send?.publish_at);
	const whenToPublish = hasTimes ? 'scheduled' : 'now';
	const base = { resource: 'post', operation: 'create', locationId, whenToPublish };
	if (mapping === 'auto') return { ...base, fields: incomingRow };
	const { fields: schema } = await getFields.call(editorOf({ credential, parameters: base }));
	return { ...base, fields: { ...columns(mapping), schema } as unknown as INodeParameters };
}

/** Why a row did not come to what was expected; undefined: it did. */
function faultOf(expected: Expected, item: IDataObject, sent: Call | undefined, sheet: Sheet) {
	const { send, to, or, refuse, skip, field, value = '' } = expected;
	if (skip !== undefined && item.skipped === true) return undefined;
	if (item.error) {
		const words = Object.values(item.error).join(' ');
		if (refuse === undefined && or === undefined) return `refused: ${words}`;
		const names = field === undefined ? [''] : namesOf(field, sheet.mapping);
		const isNamed = words.includes(value) && names.some((name) => words.includes(name));
		return isNamed ? undefined : `does not name the field or its value: ${words}`;
	}
	if (!send || !sent) return `sent: ${JSON.stringify(sent)}, ${JSON.stringify(item)}`;
	if (sent.id !== to) return `sent to ${sent.id}`;
	return differenceOf(send, sent.fields, sheet.free ?? []);
}

/** A field by its name, its label, or the headings that it is read from. */
function namesOf(field: string, mapping: Sheet['mapping']): string[] {
	const label = field.replace(/_/g, ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
	const expression = mapping === 'auto' ? '' : mapping[field];
	return [field, label, ...[...expression.matchAll(/\$json\['(.+?)'\]/g)].map(([, name]) => name)];
}

function differenceOf(expected: Fields, sent: Fields, free: string[]): string | undefined {
	const isSame = (name: string) => {
		const [wanted, own] = [expected[name], String(sent[name])];
		if (free.includes(name) && !(name in expected)) return true;
		if (name !== 'publish_at' || wanted === undefined) return String(wanted).trim() === own.trim();
		const isInstant = /T\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/.test(own);
		return isInstant && [wanted].flat().some((one) => Date.parse(String(one)) === Date.parse(own));
	};
	const other = Object.keys({ ...expected, ...sent }).find((name) => !isSame(name));
	return (
		other && `${other} is ${JSON.stringify(sent[other])}, not ${JSON.stringify(expected[other])}`
	);
}

// The sheets are of this day.
const TODAY = Date.UTC(2026, 10, 25, 9);
beforeAll(() => void jest.spyOn(systemClock, 'wall').mockImplementation(() => TODAY));

test('there are sheets', () => expect(sheets.length).toBeGreaterThan(45));

test.each(sheets.map((sheet) => [sheet.id, sheet] as const))('%s', async (_, sheet) => {
	const service = start();
	const { items: rows, zone: timezone } = sheet;
	const how = { rows, ...goOn, timezone };
	const { json, items } = await service.run(await nodeFor(sheet, service), how);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_row, item) => ({ item })));
	const posts = service.calls.filter(({ method }) => method === 'POST');
	const wrong = sheet.expect.flatMap((expected, row) => {
		const { id, outcome, error } = json[row];
		const made = service.all('posts').find((one) => outcome === 'created' && one.id === id);
		const isOfRow = ({ fields, id: to }: Call) =>
			made &&
			to === made.location_id &&
			Object.keys(fields).every((name) => made[name] === fields[name]);
		const why = faultOf(expected, json[row], posts.find(isOfRow), sheet);
		// Asked: nothing was sent, and the row says what came and what to do.
		const { message, description } = (error ?? {}) as { message?: string; description?: string };
		const isAsked = message && description;
		counts[why === undefined ? 'right' : isAsked ? 'asked' : 'wrong']++;
		return why === undefined || isAsked ? [] : [`row ${row + 1}: ${why}`];
	});
	expect(wrong).toEqual([]);
	expect(posts).toHaveLength(json.filter(({ outcome }) => outcome === 'created').length);
});

test('of 100 rows, 70 come to what their author meant, without a question', () => {
	const all = counts.right + counts.asked + counts.wrong;
	expect(counts.right / all).toBeGreaterThanOrEqual(0.7);
});
