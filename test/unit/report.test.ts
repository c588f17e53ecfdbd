import type { IExecuteFunctions } from 'n8n-workflow';

import { hintsOf } from '../../nodes/LocalSeo/rows/report';
import { location } from '../../nodes/LocalSeo/service';

test('however many rows have something to note, ten notes are shown', () => {
	const rows = Array.from({ length: 130_000 }, () => ({ json: {} }));
	const ends = rows.map((row, at) => ({
		items: [row],
		includesInput: false,
		outcome: 'done' as const,
		notes: [{ say: () => `Note ${at}` }],
	}));
	const context = {
		getNode: () => ({ parameters: { options: {} } }),
	} as unknown as IExecuteFunctions;
	const [operation] = location.operations;
	const hints = hintsOf(context, { resource: location, operation, rows, ends, isRepeatable: true });
	expect(hints.map(({ message }) => message)).toEqual(
		Array.from({ length: 10 }, (_, at) => `Note ${at}`),
	);
});
