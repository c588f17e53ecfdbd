import type { INodeParameters } from 'n8n-workflow';

import { byId, columns, type Fixture } from './fixture';

/** The eleven operations of the interface, at a location that has keywords and posts: what each sends and gives. */
export function operationCases(service: Fixture) {
	const { account } = service;
	const location = () => locationWithPosts(service);
	const keyword = () => account().keywordsOf(location().id)[0];
	const kiosk = { name: 'Kiosk', address: 'Hauptstr. 1', city: 'Ulm', country: 'DE' };
	const near = { keyword: 'bakery near me' };
	const sunday = { title: 'Open on Sunday', content: 'From 8 to 12.' };
	const made = (fields: object) => () => [{ ...fields, location_id: location().id }];
	const updated = () => [{ id: location().id, name: location().name, city: 'Ulm' }];
	const deleted = () => [{ id: keyword().id, deleted: true }];
	const one = '/locations/{locationId}';

	type Fields = Record<string, unknown>;
	type Line = [
		name: string,
		sends: string,
		gives: () => object,
		more?: INodeParameters,
		body?: Fields,
	];
	const lines: Line[] = [
		['location getAll', 'GET /locations', () => account().locations.slice(0, 3), { limit: 3 }],
		['location get', `GET ${one}`, () => [location()]],
		['location create', 'POST /locations', () => [{ ...kiosk, status: 'active' }], {}, kiosk],
		['location update', `PATCH ${one}`, updated, {}, { city: 'Ulm' }],
		['keyword getAll', `GET ${one}/keywords`, () => account().keywordsOf(location().id)],
		['keyword create', `POST ${one}/keywords`, made(near), {}, near],
		['keyword delete', 'DELETE /keywords/{keywordId}', deleted],
		[
			...(['rankScan getAll', 'GET /keywords/{keywordId}/scans'] as const),
			...([() => account().scansOf(keyword().id).slice(0, 2), { limit: 2 }] as const),
		],
		['post getAll', `GET ${one}/posts`, () => account().postsOf(location().id)],
		['post create', `POST ${one}/posts`, made(sunday), {}, sunday],
		[
			...(['insight get', `GET ${one}/insights`] as const),
			...([() => [account().insightOf(location().id)], { output: 'raw' }] as const),
		],
	];
	return lines.map(([name, sends, gives, more, body]) => ({
		operation: name.split(' ') as [string, string],
		parameters: (): INodeParameters => ({
			...(sends.includes('{locationId}') && { locationId: byId(location().id) }),
			...(sends.includes('{keywordId}') && { keywordId: byId(keyword().id) }),
			...(body && { fields: columns(body), ifExists: 'create' }),
			...more,
		}),
		sends: () =>
			sends
				.replace(/\{locationId\}/, () => location().id)
				.replace(/\{keywordId\}/, () => keyword().id),
		...{ gives, body },
	}));
}

export function locationWithPosts({ sandbox: { account } }: Fixture) {
	return account.locations.find(({ id }) => account.postsOf(id).length > 0)!;
}
