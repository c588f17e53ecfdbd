import { hintsOf } from '../../nodes/LocalSeo/rows/report/hints';
import { location } from '../../nodes/LocalSeo/resources';

test('however many rows have something to note, ten notes are shown', () => {
	const rows = Array.from({ length: 130_000 }, () => ({ json: {} }));
	const ends = rows.map((row, at) => ({
		items: [row],
		includesInput: false,
		outcome: 'done' as const,
		notes: [{ say: () => `Note ${at}` }],
	}));
	const [operation] = location.operations;
	const hints = hintsOf({
		...{ resource: location, operation, rows, ends },
		...{ isRepeatable: true, isFiltered: false, hasErrorOutput: false, zone: 'UTC' },
	});
	expect(hints).toEqual(Array.from({ length: 10 }, (_, at) => `Note ${at}`));
});
