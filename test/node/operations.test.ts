import { useSandbox } from '../support/fixture';
import { operationCases } from '../support/operations';

const service = useSandbox();
const { run, requests } = service;

test.each(operationCases(service))(
	'$operation sends one request, after a page for the fields, and returns the records',
	async (row) => {
		const [resource, operation] = row.operation;
		const sent = row.sends();
		const given = row.gives();
		const result = await run({ resource, operation, ...row.parameters() });
		expect(result.error).toBeUndefined();
		const list = resource === 'location' ? '/locations' : sent.split(' ')[1];
		expect(requests()).toEqual(row.body ? [`GET ${list}`, sent] : [sent]);
		expect(service.sandbox.requests.at(-1)?.body).toEqual(row.body);
		expect(result.json).toMatchObject(given);
		expect(result.items.every(({ pairedItem }) => pairedItem)).toBe(true);
	},
);

test('requests ask for JSON and carry the key', async () => {
	await run({ resource: 'location', operation: 'getAll' });
	const [{ headers, scope }] = service.sandbox.requests;
	expect(headers).toMatchObject({ accept: 'application/json' });
	expect(scope).toBe('write');
});
