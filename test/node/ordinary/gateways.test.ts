import { LOSSES, REFUSALS } from '../../support/gatewayPages';
import { createPosts } from '../../support/sheet';
import { type Service, useBackend } from './backend';
import { rowsFor } from './rows';

// What gateways say of their own: after some of it nothing was done, after some of it something may have been.

const backend = useBackend();

const methodsOf = ({ requests }: Service) => requests.map((line) => line.split(' ')[0]);

test.each(Object.keys(REFUSALS))('%s: sent again, without a look at the list', async (name) => {
	const service = backend({
		instead: ({ method, earlier }) =>
			method === 'POST' && earlier === 0 ? REFUSALS[name] : undefined,
	});
	const { json, error } = await service.run(createPosts, rowsFor(service, 1));
	expect(error).toBeUndefined();
	expect(json).toHaveLength(1);
	expect(methodsOf(service)).toEqual(['POST', 'POST']);
});

test.concurrent.each(Object.keys(LOSSES))(
	'%s: the backend has acted, and the list shows it',
	async (name) => {
		const service = backend({
			created: (record, { earlier }) =>
				earlier === 0 ? LOSSES[name] : { status: 201, body: { data: record } },
		});
		const { json, error } = await service.run(createPosts, rowsFor(service, 1));
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
		expect(methodsOf(service)).toEqual(expect.arrayContaining(['POST', 'GET']));
		expect(methodsOf(service).filter((method) => method === 'POST')).toHaveLength(1);
	},
);
