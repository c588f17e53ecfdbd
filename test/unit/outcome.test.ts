import { NodeOperationError } from 'n8n-workflow';

import {
	becameHint,
	failuresHint,
	lateHint,
	type Outcome,
	plannedHint,
	stoppedBy,
	stoppedLine,
} from '../../nodes/LocalSeo/rows/outcome';
import { keyword, location, post, type Resource } from '../../nodes/LocalSeo/service';

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

test('a hint says which rows were to be published at a time that is over', () => {
	const rows = Array.from({ length: 3 }, (_, index) => ({ json: { row_number: index + 2 } }));
	const late = (of: number[]) => lateHint({ ...outcome(0), rows }, of);
	expect(late([])).toBeUndefined();
	expect(late([1])).toBe('Row 3 has a date in the past: what was created may be public already.');
	expect(late([2, 0])).toBe(
		'2 rows have a date in the past (2, 4): what was created may be public already.',
	);
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

describe('rows that were only looked at', () => {
	type Planned = Outcome['plans'] extends ReadonlyMap<number, infer P> ? P : never;
	const looked = (...plans: Array<[Planned['action'], ...string[]]>): Outcome => ({
		...outcome(0),
		plans: new Map(
			// They end in another order than they began.
			plans.map(([action, ...warnings], index) => [index, { action, warnings }] as const).reverse(),
		),
	});

	test('are counted by what would become of them', () => {
		expect(plannedHint(looked(['skip'], ['create'], ['invalid'], ['create'], ['invalid']))).toBe(
			'Dry run, nothing was changed: 2 would be created, 1 skipped, 2 invalid (3, 5).',
		);
		expect(plannedHint(looked(['update'], ['delete']))).toBe(
			'Dry run, nothing was changed: 1 would be updated, 1 deleted.',
		);
		expect(plannedHint(looked(['invalid']))).toBe('Dry run, nothing was changed: 1 invalid (1).');
	});

	test('have their warnings counted, unless they would be skipped', () => {
		expect(plannedHint(looked(['skip', 'It exists'], ['create', 'Odd'], ['invalid', 'Odd']))).toBe(
			'Dry run, nothing was changed: 1 would be created, 1 skipped, 1 invalid (3). 2 rows have a warning (2, 3).',
		);
		expect(plannedHint(looked(['create', 'Odd'], ['update', 'A', 'B'], ['delete', 'C']))).toContain(
			'. 3 rows have a warning (1, 2, 3).',
		);
	});

	test('say nothing where there are none, or where rows failed', () => {
		expect(plannedHint(outcome(0))).toBeUndefined();
		const { plans } = looked(['create']);
		expect(plannedHint({ ...outcome(1), plans })).toBeUndefined();
	});

	test('are counted beside those that failed, and have created nothing', () => {
		const some = { ...outcome(8), plans: looked(['create'], ['invalid']).plans };
		const create = operationOf(post, 'create');
		expect(failuresHint(some, post, create, false)).toBe(
			'8 of 10 rows failed (1, 2, 3, 4, 5, 6, 7, 8); 1 would be created, 1 invalid (2). The same problem in each: It rains. Each failed row has its reason in the field "error".',
		);
		expect(stoppedLine(some, post, create, 'Post it')).toBe(
			'Post it: stopped. Of 10 rows, 1 would be created, 1 invalid (2).',
		);
	});
});

describe('where the node goes on, a hint counts the rows that failed', () => {
	const create = operationOf(post, 'create');
	const hint = (of: Outcome, isErrorOutput = false) =>
		failuresHint(of, post, create, isErrorOutput);
	const another = { index: 1, failure: new NodeOperationError(node, 'It snows') };

	test('by their numbers, with their problem and where to find it', () => {
		expect(hint(outcome(1))).toBe(
			'1 of 10 rows failed (1); 9 were posted. Problem: It rains. Each failed row has its reason in the field "error".',
		);
		expect(hint({ ...outcome(1), failures: [...outcome(1).failures, another] }, true)).toBe(
			'2 of 10 rows failed (1, 2); 8 were posted. First problem: It rains. The failed rows leave through the second output, each with its reason.',
		);
		expect(hint(outcome(9))).toContain('; 1 was posted. The same problem in each: It rains.');
	});

	test('or says that all did', () => {
		expect(hint(outcome(10))).toContain('All 10 rows failed for the same reason: It rains.');
		const all = outcome(10);
		all.failures[1] = another;
		expect(hint(all)).toContain('All 10 rows failed. First problem: It rains.');
	});

	test('but not where there are none, or where there is one row, which says it itself', () => {
		expect(hint(outcome(0))).toBeUndefined();
		expect(hint({ ...outcome(1), rows: [{ json: {} }] })).toBeUndefined();
	});
});

describe('the error of a run that failed', () => {
	const create = operationOf(post, 'create');

	test('is that of its row where there is one', () => {
		const failure = new NodeOperationError(node, 'It rains', { itemIndex: 0 });
		const one = { ...outcome(0), rows: [{ json: {} }], failures: [{ index: 0, failure }] };
		expect(stoppedBy(one, post, create)).toBe(failure);
		expect(failure.message).toBe('It rains');
		expect(failure.context.itemIndex).toBeUndefined();
		one.rows = [{ json: { row_number: 7 } }];
		expect(stoppedBy(one, post, create).message).toBe('Row 7: It rains');
	});

	test('counts all rows, and says how to see the reason for each', () => {
		const { message } = stoppedBy(outcome(2), post, create);
		expect(message).toBe(
			'2 of 10 rows failed (1, 2); 8 were posted. The same problem in each: It rains',
		);
		const all = outcome(10);
		all.failures[1] = { index: 1, failure: new NodeOperationError(node, 'It snows') };
		expect(stoppedBy(all, post, create).description).toBe(
			'Take an umbrella. To see the reason for each row, set On Error to Continue (using error output) in the settings of this node.',
		);
	});

	test.each<[Resource, string, string]>([
		[post, 'create', '9 were posted'],
		[keyword, 'create', '9 were created'],
		[keyword, 'delete', '9 were deleted'],
		[location, 'update', '9 were updated'],
		[location, 'upsert', '9 were created or updated'],
		[location, 'getAll', '9 were read'],
	])('says what became of the others: %#', (resource, operation, others) => {
		const { message } = stoppedBy(outcome(1), resource, operationOf(resource, operation));
		expect(message).toContain(`; ${others}. Problem: It rains`);
	});
});
