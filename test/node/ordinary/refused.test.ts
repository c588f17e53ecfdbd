import { createPosts } from '../../support/sheet';
import { type Answer, READS_OF_NEW_ACCOUNT, rowsFor, useBackend } from '../backend';

// What a service refuses is said at once, in its own words, after one request, and without a doubt.

const backend = useBackend();

const CAUSE = 'The daily quota of posts is used up';
const DOUBT = /may have|could not confirm|not created|Unexpected response/i;

function expectWords(error?: { message: string; description?: unknown }) {
	const said = `${error?.message} ${error?.description}`;
	expect(said).toContain(CAUSE);
	expect(said).not.toMatch(DOUBT);
}

const typed = (type: string, body: unknown): Answer => ({
	body,
	headers: { 'Content-Type': type },
});

// Which responses refuse, a success that denies itself among them: unit/client/responses. What is read of a
// body of JSON: unit/client/serviceWords.
test.each<[string, Answer]>([
	['problem+json', typed('application/problem+json', { title: 'Invalid', detail: CAUSE })],
	['a text in JSON', { body: JSON.stringify(CAUSE) }],
])('422 is said in the words of the service: %s', async (_, answer) => {
	const service = backend({ created: () => ({ ...answer, status: 422 }) });
	const { error } = await service.run(createPosts, { rows: rowsFor(service, 1) });
	expectWords(error);
	expect(service.requests).toHaveLength(1 + READS_OF_NEW_ACCOUNT);
});
