import { becameOf } from '../../nodes/LocalSeo/operation/became';

test.each([
	['update', { created: true }, 'created'],
	['update', { updated: true }, 'updated'],
	['update', { unchanged: true }, 'unchanged'],
	['skip', { skipped: true }, 'skipped'],
	// What the service calls so itself says nothing.
	['skip', { created: true }, undefined],
	['update', { skipped: true }, undefined],
	['update', { updated: 'yesterday' }, undefined],
	['create', { created: true, skipped: true }, undefined],
] as const)('where what exists means "%s", %j became %s', (ifExists, record, became) => {
	expect(becameOf(['text', {}, record], ifExists)).toBe(became);
});
