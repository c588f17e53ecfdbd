import { LOSSES, REFUSALS } from '../../support/gatewayPages';
import { useShortWatch } from '../../support/shortWatch';
import { createPosts, postSheet } from '../../support/sheet';
import { type Service, useBackend } from './backend';
import { rowsFor } from './rows';

// What gateways say of their own: after some of it nothing was done, after some of it something may have been.

useShortWatch();
const backend = useBackend();

/** What was sent, and the looks at the list that followed. */
const methodsOf = ({ requests }: Service) => {
	const methods = requests.map((line) => line.split(' ')[0]);
	return methods.slice(methods.indexOf('POST'));
};

test.each(Object.keys(REFUSALS))('%s: sent again, without a look at the list', async (name) => {
	const service = backend({
		instead: ({ method, earlier }) =>
			method === 'POST' && earlier === 0 ? REFUSALS[name] : undefined,
	});
	const { json, error } = await service.run(createPosts, rowsFor(service, 1));
	expect([json, error]).toEqual([service.records.posts, undefined]);
	expect(methodsOf(service)).toEqual(['POST', 'POST']);
});

describe.each(Object.keys(LOSSES))('%s: the backend has acted', (name) => {
	const losing = () =>
		backend({
			created: (data, { earlier }) =>
				earlier === 0 ? LOSSES[name] : { status: 201, body: { data } },
		});

	test('and the list shows it', async () => {
		const service = losing();
		const { json, error } = await service.run(postSheet, rowsFor(service, 1));
		expect([json, error]).toEqual([service.records.posts, undefined]);
		expect(methodsOf(service)).toEqual(['POST', 'GET']);
	});

	test('and the list was not read before', async () => {
		const service = losing();
		const { error } = await service.run(createPosts, rowsFor(service, 1));
		expect(error?.message).toMatch(/^Could not confirm whether the content post was created/);
		expect(methodsOf(service)).toEqual(['POST']);
	});
});
