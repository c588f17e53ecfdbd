import { sentences } from '../../nodes/LocalSeo/host/words';

test.each<[Array<string | undefined | null | false>, string]>([
	[['Not found', 'Check it.'], 'Not found. Check it.'],
	[
		['Did you mean Bakery East?', 'Correct the name'],
		'Did you mean Bakery East? Correct the name.',
	],
	[['Stop!', undefined, null, false, '', ' '], 'Stop!'],
	[['It begins: "Wel…', ' so… '], 'It begins: "Wel… so…'],
	[['The service said: "Unknown key."', 'Check it'], 'The service said: "Unknown key." Check it.'],
	[['The first is "A"', 'See (1)'], 'The first is "A". See (1).'],
	[[], ''],
])('%j: %s', (texts, text) => {
	expect(sentences(...texts)).toBe(text);
});
