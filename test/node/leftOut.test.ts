import { byId, columns, useSandbox } from '../support/fixture';

const service = useSandbox();
const { run, requests } = service;
const locationId = () => service.sandbox.account.locations[0].id;
const posts = () => requests().filter((request) => request.startsWith('POST'));

/** n8n stores no parameter that has its default value, and fills it in before the node runs. */
describe('what a workflow leaves out has its default', () => {
	test('the resource, also in a hint', async () => {
		const { account } = service.sandbox;
		for (const { id } of [...account.locations]) account.removeLocation(id);
		const { json, hints } = await run({ operation: 'getAll' });
		expect(json).toEqual([]);
		expect(hints).toEqual([expect.stringMatching(/^No locations were found\..*API key/)]);
	});

	test('the type of an additional field: it is text', async () => {
		const additionalFields = { fields: [{ name: 'code', value: 7 }] };
		const { json } = await run({
			resource: 'location',
			operation: 'create',
			fields: columns({ name: 'New', address: '1 High Street' }),
			options: { additionalFields },
		});
		expect(json).toEqual([expect.objectContaining({ name: 'New', code: '7' })]);
	});

	test('the mode of a location: an expression alone gives its ID', async () => {
		const plain = { resource: 'location', operation: 'get', locationId: '={{ $json.place }}' };
		expect((await run(plain, { rows: [{ place: locationId() }] })).json).toEqual([
			expect.objectContaining({ id: locationId() }),
		]);
		const { error } = await run(plain, { rows: [{ city: 'York' }] });
		expect(error).toMatchObject({
			message: 'The location ID is empty: there is no column "place"',
			description: expect.stringContaining('There are: city.'),
		});
	});
});

test('outside of executions, the list is read for each row, and its post still found', async () => {
	const matchFields = ['number'];
	const create = {
		resource: 'post',
		operation: 'create',
		locationId: byId(locationId()),
		fields: columns({
			title: '={{ $json.title }}',
			content: 'A',
			number: '={{ $json.number }}',
		}),
		options: { matchFields },
	};
	const rowOf = (number: number) => ({ title: `Post ${number}`, number });
	Object.assign(service.sandbox.account.postsOf(locationId())[0] ?? {}, { number: 0 });
	const runTool = async (number: number) =>
		await run(create, { rows: [rowOf(number)], isOutsideOfExecutions: true });
	for (const number of [1, 2]) expect((await runTool(number)).error).toBeUndefined();
	expect(posts()).toHaveLength(2);
	const { json } = await runTool(2);
	expect(json).toEqual([expect.objectContaining({ number: 2, skipped: true })]);
	expect(posts()).toHaveLength(2);
});
