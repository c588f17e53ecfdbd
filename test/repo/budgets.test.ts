import { linesIn, sum } from '../../dev/scripts/house';

/** The most lines of TypeScript, JavaScript and YAML. */
const MOST_LINES = { dev: 6_400, test: 17_300 };

test.each(Object.entries(MOST_LINES))('%s/ has at most %d lines', (folder, most) => {
	expect(sum(linesIn(folder).values())).toBeLessThanOrEqual(most);
});
