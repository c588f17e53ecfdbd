import { DateTime } from 'luxon';

import { pathsRead, saysWhatEmptyMeans, valueAt } from '../../nodes/LocalSeo/rows/read/expressions';
import { Sheet } from '../../nodes/LocalSeo/rows/read/sheet';

test.each([
	['={{ $json.when }} {{ $json["Go live"] }}', [['when'], ['Go live']]],
	["={{ $json?.['a b'] + $input.item.json.c }}", [['a b'], ['c']]],
	['={{ $json.été }}', [['été']]],
	['={{ $json.fields["Publish At"]?.trim() }}', [['fields', 'Publish At']]],
	['={{ $json.tags[0] }} {{ $json.keys() }}', [['tags']]],
	['$json.when', []],
	['={{ $now }}', []],
	[undefined, []],
])('%j reads the columns %j', (expression, columns) => {
	expect(pathsRead(expression)).toEqual(columns);
});

test.each([DateTime.utc(2027), new Date(), 'Monday', ['a'], null])(
	'%p has members of its own: they are neither columns that are missing nor values of the row',
	(when) => {
		expect(new Sheet([{ json: { when } }]).missing(['when', 'year'])).toBeUndefined();
		expect(valueAt({ when }, ['when', 'year'])).toBe(when);
		const inside = new Sheet([{ json: { when: { month: 5 } } }]).missing(['when', 'year']);
		expect(inside).toEqual({ name: 'when.year', advice: 'There are: month.' });
		expect(new Sheet([{ json: {} }]).missing(['when'])).toEqual({ name: 'when', advice: '' });
	},
);

test.each([
	["={{ $json.when ?? '' }}", true],
	["={{ $json.when || '' }}", true],
	["={{ $json.Status === 'Scheduled' ? $json.when : '' }}", true],
	["={{ $json.fields['Publish At'] ?? '' }}", true],
	['={{ $if($json.go, $json.when, "") }}', true],
	['={{ $ifEmpty($json.when, "") }}', true],
	["={{ ($json.when ?? '') }}", true],
	["={{ DateTime.fromISO($json.when).toISO() ?? '' }}", true],
	["={{ $if($json.go, $json.when.trim(), '') }}", true],
	// What an empty cell means says nothing of a conversion that fails.
	["={{ DateTime.fromFormat(($json.when ?? '').trim(), 'dd/MM/yyyy').toISO() }}", false],
	["={{ DateTime.fromISO($json.when || '').toISO() }}", false],
	["={{ DateTime.fromISO($if($json.go, $json.when, '')).toISO() }}", false],
	['={{ $json.when }}', false],
	['={{ $json.when?.trim() }}', false],
	['={{ $json.day }} 10:00', false],
	// What stands in quotes is no operator.
	['={{ DateTime.fromFormat($json["When?"], "dd.MM.yyyy HH:mm").toISO() }}', false],
	['={{ $json["Facebook || Instagram"] }}', false],
	['={{ $json["Date ??"] }}', false],
])('%j says what empty means: %p', (expression, does) => {
	expect(saysWhatEmptyMeans(expression)).toBe(does);
});
