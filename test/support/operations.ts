import type { INodeParameters } from 'n8n-workflow';

import { byId, columns, type Fixture } from './fixture';

/** An operation of the interface: what it sends, and what comes of it at the sandbox. */
export interface OperationCase {
	operation: [resource: string, operation: string];
	parameters: () => INodeParameters;
	sends: () => string;
	body?: object;
	gives: () => object;
}

/** The eleven operations of the interface, at a location that has keywords and posts. */
export function operationCases(service: Fixture): OperationCase[] {
	const account = () => service.sandbox.account;
	const location = () => locationWithPosts(service);
	const keyword = () => account().keywordsOf(location().id)[0];
	const kiosk = { name: 'Kiosk', address: 'Hauptstr. 1', city: 'Ulm', country: 'DE' };
	return [
		{
			operation: ['location', 'getAll'],
			parameters: () => ({ limit: 3 }),
			sends: () => 'GET /locations',
			gives: () => account().locations.slice(0, 3),
		},
		{
			operation: ['location', 'get'],
			parameters: () => ({ locationId: byId(location().id) }),
			sends: () => `GET /locations/${location().id}`,
			gives: () => [location()],
		},
		{
			operation: ['location', 'create'],
			parameters: () => ({
				fields: columns(kiosk),
				ifExists: 'create',
			}),
			sends: () => 'POST /locations',
			body: kiosk,
			gives: () => [{ ...kiosk, status: 'active' }],
		},
		{
			operation: ['location', 'update'],
			parameters: () => ({ locationId: byId(location().id), fields: columns({ city: 'Ulm' }) }),
			sends: () => `PATCH /locations/${location().id}`,
			body: { city: 'Ulm' },
			gives: () => [{ id: location().id, name: location().name, city: 'Ulm' }],
		},
		{
			operation: ['keyword', 'getAll'],
			parameters: () => ({ locationId: byId(location().id) }),
			sends: () => `GET /locations/${location().id}/keywords`,
			gives: () => account().keywordsOf(location().id),
		},
		{
			operation: ['keyword', 'create'],
			parameters: () => ({
				locationId: byId(location().id),
				fields: columns({ keyword: 'bakery near me' }),
				ifExists: 'create',
			}),
			sends: () => `POST /locations/${location().id}/keywords`,
			body: { keyword: 'bakery near me' },
			gives: () => [{ keyword: 'bakery near me', location_id: location().id }],
		},
		{
			operation: ['keyword', 'delete'],
			parameters: () => ({ keywordId: byId(keyword().id) }),
			sends: () => `DELETE /keywords/${keyword().id}`,
			gives: () => [{ id: keyword().id, deleted: true }],
		},
		{
			operation: ['rankScan', 'getAll'],
			parameters: () => ({ keywordId: byId(keyword().id), limit: 2 }),
			sends: () => `GET /keywords/${keyword().id}/scans`,
			gives: () => account().scansOf(keyword().id).slice(0, 2),
		},
		{
			operation: ['post', 'getAll'],
			parameters: () => ({ locationId: byId(location().id) }),
			sends: () => `GET /locations/${location().id}/posts`,
			gives: () => account().postsOf(location().id),
		},
		{
			operation: ['post', 'create'],
			parameters: () => ({
				locationId: byId(location().id),
				fields: columns({ title: 'Open on Sunday', content: 'From 8 to 12.' }),
				ifExists: 'create',
			}),
			sends: () => `POST /locations/${location().id}/posts`,
			body: { title: 'Open on Sunday', content: 'From 8 to 12.' },
			gives: () => [{ title: 'Open on Sunday', location_id: location().id }],
		},
		{
			operation: ['insight', 'get'],
			parameters: () => ({ locationId: byId(location().id), output: 'raw' }),
			sends: () => `GET /locations/${location().id}/insights`,
			gives: () => [account().insightOf(location().id)],
		},
	];
}

/** The first location that has posts. */
export function locationWithPosts({ sandbox: { account } }: Fixture) {
	return account.locations.find(({ id }) => account.postsOf(id).length > 0)!;
}
