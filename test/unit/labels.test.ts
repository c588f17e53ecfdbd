import { toItems } from '../../nodes/LocalSeo/editor/pickList';
import { keyword, location, post } from '../../nodes/LocalSeo/service';

test.each([
	[location, { id: 'loc_1', name: 'Marlow', city: 'York', country: 'GB' }, 'Marlow, York, GB'],
	[
		location,
		{ id: 'loc_1', name: 'Marlow', city: 'York', address: '1 Mill Street', status: 'paused' },
		'Marlow, York · 1 Mill Street (paused)',
	],
	[location, { id: 'loc_1', name: 'Marlow', status: 'active' }, 'Marlow'],
	[location, { id: 'loc_1', name: 'Marlow', status: 'paused' }, 'Marlow (paused)'],
	[location, { id: 'loc_1', city: 'York' }, 'loc_1, York'],
	[keyword, { id: 'kw_1', keyword: 'dentist' }, 'dentist'],
	[keyword, { id: 'kw_1', text: 'dentist' }, 'kw_1'],
	[post, { id: 7, title: 'Open on Sunday' }, '7'],
])(
	'%#: a list shows a record by its name, or by its ID where it has none',
	(resource, record, label) => {
		expect(toItems(resource, [record])).toEqual([{ name: label, value: String(record.id) }]);
	},
);
