import { NodeOperationError } from 'n8n-workflow';

import { becameHint, stoppedBy, stoppedLine } from '../../nodes/LocalSeo/operation/outcome';
import { keyword, location, post, type Resource } from '../../nodes/LocalSeo/resources';

const node = { name: 'Local SEO' } as never;
const operationOf = ({ operations }: Resource, value: string) =>
	operations.find((operation) => operation.value === value)!;

/** Of ten rows, with so many that failed and were skipped. */
const outcome = (failed: number, skipped = 0, isRepeatable = true) => ({
	rows: Array.from({ length: 10 }, () => ({ json: {} })),
	failures: Array.from({ length: failed }, (_, index) => ({
		index,
		failure: new NodeOperationError(node, 'It rains', { description: 'Take an umbrella.' }),
	})),
	plans: new Map(),
	became: Array.from({ length: skipped }, () => 'skipped' as const),
	isRepeatable,
});

test.each([
	[post, 0, undefined],
	[post, 1, '9 posted, 1 skipped because it already exists.'],
	[post, 2, '8 posted, 2 skipped because they already exist.'],
	[keyword, 2, '8 created, 2 skipped because they already exist.'],
	[location, 9, '1 created, 9 skipped because they already exist.'],
	[location, 10, '10 skipped because they already exist.'],
])('a hint counts what was skipped: %#', (resource, skipped, hint) => {
	expect(becameHint(outcome(0, skipped), resource, operationOf(resource, 'create'))).toBe(hint);
});

test('a hint counts what Create or Update has done', () => {
	const became = [...Array.from({ length: 7 }, () => 'updated' as const), 'unchanged' as const];
	const all = { ...outcome(0), became: ['created' as const, ...became, 'unchanged' as const] };
	const upsert = operationOf(location, 'upsert');
	expect(becameHint(all, location, upsert)).toBe('1 created, 7 updated, 2 unchanged.');
	const some = { ...outcome(2), became };
	expect(becameHint(some, location, upsert)).toBeUndefined();
	expect(stoppedLine(some, location, upsert, 'Sync')).toBe(
		'Sync: stopped. Of 10 rows, 7 were updated, 1 was unchanged. You can safely run all rows again: those that succeeded come out as unchanged.',
	);
	expect(stoppedLine(outcome(10), location, upsert, 'Sync')).toBe(
		'Sync: stopped. Of 10 rows, none was created or updated.',
	);
});

test('where rows failed, the other hint counts them all', () => {
	expect(becameHint(outcome(1, 1), post, operationOf(post, 'create'))).toBeUndefined();
});

describe('a run that failed says whether it can be run again', () => {
	const described = (failed: number, resource: Resource, operation: string, isRepeatable = true) =>
		stoppedBy(outcome(failed, 0, isRepeatable), resource, operationOf(resource, operation))
			.description;
	const CONTINUE =
		'To keep the results of the other rows, and the reason for each row that failed,';

	test('it can, where what exists is skipped', () => {
		expect(described(1, keyword, 'create')).toContain(
			`Take an umbrella. You can safely run all rows again: those whose keyword already exists are skipped. ${CONTINUE}`,
		);
	});

	test('it cannot otherwise', () => {
		expect(described(1, location, 'create', false)).toContain(
			`Take an umbrella. Do not run all rows again: those that succeeded would be created twice. Run only the rows that failed, or set If It Already Exists to Skip the Row. ${CONTINUE}`,
		);
	});

	test('it says nothing where no row succeeded, or nothing was created', () => {
		expect(described(10, post, 'create')).toBe('Take an umbrella.');
		expect(described(1, keyword, 'delete')).toContain(`Take an umbrella. ${CONTINUE}`);
	});
});

test.each([
	[
		outcome(4, 2),
		'Post it: stopped. Of 10 rows, 4 were posted, 2 were skipped because they already exist. You can safely run all rows again: those whose content post already exists are skipped.',
	],
	[outcome(10), 'Post it: stopped. Of 10 rows, none was posted.'],
])('a stopped execution is summed up for the log: %#', (stopped, line) => {
	expect(stoppedLine(stopped, post, operationOf(post, 'create'), 'Post it')).toBe(line);
});
