import type { INodeParameters } from 'n8n-workflow';

import { byId, columns } from '../../support/fixture';

/** An operation of the README, and the example of dev/sandbox/openapi.yaml that a mock answers with. */
export interface MockCase {
	name: string;
	parameters: INodeParameters;
	/** Its name in `components/examples`; absent: the answer has no body. */
	example?: string;
}

const all = { returnAll: true, limit: 50 };

/** Every operation of the README, for an account that has these two. */
export function casesFor(location: string, keyword: string): MockCase[] {
	const locationId = byId(location);
	const keywordId = byId(keyword);
	const bakery = { name: 'Mill Lane Bakery', address: '230 Division Street', city: 'Portland' };
	const post = { title: 'Rye week', content: 'Five kinds of rye bread, all week long.' };
	const insight = { resource: 'insight', operation: 'get', locationId };
	const cases: Array<[name: string, parameters: INodeParameters, example?: string]> = [
		['location getAll', all, 'Locations'],
		['location get', { locationId }, 'Location'],
		['location create', { fields: columns(bakery), ifExists: 'skip' }, 'CreatedLocation'],
		['location upsert', { fields: columns(bakery) }, 'CreatedLocation'],
		['location update', { locationId, fields: columns({ city: 'Salem' }) }, 'UpdatedLocation'],
		['keyword getAll', { ...all, locationId }, 'Keywords'],
		[
			'keyword create',
			{ locationId, fields: columns({ keyword: 'rye bread' }), ifExists: 'skip' },
			'CreatedKeyword',
		],
		['keyword delete', { keywordId }],
		['rankScan getAll', { ...all, keywordId }, 'RankScans'],
		['post getAll', { ...all, locationId }, 'Posts'],
		['post create', { locationId, fields: columns(post), ifExists: 'skip' }, 'CreatedPost'],
		['insight get', { ...insight, output: 'rows' }, 'Insight'],
		['insight get', { ...insight, output: 'summary' }, 'Insight'],
		['insight get', { ...insight, output: 'raw' }, 'Insight'],
	];
	return cases.map(([name, parameters, example]) => {
		const [resource, operation] = name.split(' ');
		const title = parameters.output ? `${name} (${String(parameters.output)})` : name;
		return { name: title, parameters: { resource, operation, ...parameters }, example };
	});
}
