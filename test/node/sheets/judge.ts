import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { LocalSeo } from '../../../nodes/LocalSeo/LocalSeo.node';
import { editorOf } from '../../support/engine';
import { byId, byName, columns, incomingRow } from '../../support/fixture';
import type { Fields, Service } from '../ordinary/backend';
import account from './corpus/account.json';

/** What should become of a row; README.md of the corpus says what each holds for. */
export interface Expected {
	to?: string;
	send?: Record<string, unknown>;
	/** It may be refused as well. */
	or?: string;
	refuse?: string;
	skip?: string;
	field?: string;
	value?: string;
}

export interface Sheet {
	id: string;
	items: object[];
	mapping: 'auto' | Record<string, string>;
	locationFrom: { mode: 'fixed' | 'id' | 'name'; value?: string; expression?: string };
	zone: string;
	expect: Expected[];
	/** Fields that may be sent or not. */
	free?: string[];
}

const { getFields } = new LocalSeo().methods.resourceMapping;

/** Puts the locations of the corpus in the place of the backend's own, and its posts below each. */
export function fill(service: Service): void {
	service.account.clear();
	for (const location of account.locations) {
		service.add('locations', location);
		for (const post of account.posts) service.add('posts', { location_id: location.id, ...post });
	}
}

/** The node as the author of a sheet has set it. */
export async function nodeFor(sheet: Sheet, service: Service): Promise<INodeParameters> {
	const { mode, value, expression } = sheet.locationFrom;
	const locationId = mode === 'name' ? byName(expression) : byId(expression ?? value);
	const base = { resource: 'post', operation: 'create', locationId, whenToPublish: 'either' };
	if (sheet.mapping === 'auto') return { ...base, fields: incomingRow };
	const editor = editorOf({ credential: service.credential, parameters: base });
	const { fields: schema } = await getFields.call(editor);
	const fields = { ...columns(sheet.mapping), schema } as unknown as INodeParameters;
	return { ...base, fields };
}

/** What a row has come to, beside what was expected of it. */
export type Outcome = { is: 'right' | 'asked' } | { is: 'wrong'; why: string };

/** `asked`: nothing was sent, and the row says what came and what to do. */
export function outcomeOf(...[expected, item, sent, sheet]: Parameters<typeof verdictOn>): Outcome {
	const why = verdictOn(expected, item, sent, sheet);
	if (why === undefined) return { is: 'right' };
	const { error } = item as { error?: { message?: string; description?: string } };
	const isAsked = sent.length === 0 && Boolean(error?.message) && Boolean(error?.description);
	return isAsked ? { is: 'asked' } : { is: 'wrong', why };
}

/** Why a row did not come to what was expected; undefined: it did. */
function verdictOn(
	expected: Expected,
	item: IDataObject,
	sent: Array<{ to?: string; fields: Fields }>,
	{ free = [], mapping }: Sheet,
): string | undefined {
	const { error } = item as { error?: { message: string; description?: string } };
	if (expected.skip !== undefined && sent.length === 0 && item.skipped === true) return undefined;
	const mayBeRefused = expected.refuse !== undefined || expected.or !== undefined;
	if (error && mayBeRefused) {
		if (sent.length > 0) return `refused, and sent: ${JSON.stringify(sent)}`;
		const words = `${error.message} ${error.description ?? ''}`;
		if (expected.value !== undefined && !words.includes(expected.value)) {
			return `does not name the value: ${words}`;
		}
		const names = expected.field === undefined ? [] : namesOf(expected.field, mapping);
		const isNamed = names.length === 0 || names.some((name) => words.includes(name));
		return isNamed ? undefined : `does not name the field: ${words}`;
	}
	if (error) return `refused: ${error.message} ${error.description ?? ''}`;
	if (!expected.send) return `sent: ${JSON.stringify(sent)}, item: ${JSON.stringify(item)}`;
	const [one, ...others] = sent;
	if (!one || others.length > 0) return `sent ${sent.length} times`;
	if (one.to !== expected.to) return `sent to ${one.to}`;
	return differenceOf(expected.send, one.fields, free);
}

/** A field by its name, its label, or the headings that it is read from. */
function namesOf(field: string, mapping: Sheet['mapping']): string[] {
	const label = field.replace(/_/g, ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
	if (mapping === 'auto') return [field, label];
	const headings = [...mapping[field].matchAll(/\$json\['(.+?)'\]/g)].map(([, name]) => name);
	return [field, label, ...headings];
}

function differenceOf(expected: Fields, sent: Fields, free: string[]): string | undefined {
	for (const name of new Set([...Object.keys(expected), ...Object.keys(sent)])) {
		if (free.includes(name) && !(name in expected)) continue;
		const [wanted, own] = [expected[name], sent[name]];
		if (name === 'publish_at' && wanted !== undefined) {
			const isInstant = /T\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/.test(String(own));
			const times = [wanted].flat().map((one) => Date.parse(String(one)));
			if (isInstant && times.includes(Date.parse(String(own)))) continue;
			return `publish_at is ${JSON.stringify(own)}, not ${JSON.stringify(wanted)}`;
		}
		if (String(wanted).trim() !== String(own).trim()) {
			return `${name} is ${JSON.stringify(own)}, not ${JSON.stringify(wanted)}`;
		}
	}
	return undefined;
}
