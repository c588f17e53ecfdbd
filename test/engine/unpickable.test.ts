import type { IDataObject } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { useSandbox } from '../support/fixture';

const service = useSandbox();
const { searchLocations } = new LocalSeo().methods.listSearch;

test.each(['', 'big'])(
	'a list offers nothing that has no ID of its own (search for %j)',
	async (filter) => {
		// The last one is 12345678901234567890 in the response: JavaScript has rounded it.
		const data = [
			{ id: 'loc_1', name: 'Big One' },
			{ name: 'Big Two' },
			{ id: 1.2345678901234567e19, name: 'Big Three' },
		];
		service.sandbox.faults.add({
			when: { path: '/locations' },
			transform: () => ({
				data: data as IDataObject[],
				meta: { current_page: 1, per_page: 15, total: 3 },
			}),
		});
		const editor = service.editor({ resource: 'location', operation: 'get' });
		const { results } = await searchLocations.call(editor, filter);
		expect(results).toEqual([{ name: 'Big One', value: 'loc_1' }]);
	},
);
