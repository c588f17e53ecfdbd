import { ledgerOf, NOTHING_WRONG } from '../../harness/ledger';
import { useSandbox } from '../support/fixture';
import { createPosts, sheetOf } from '../support/sheet';

const service = useSandbox();

test('a response that is lost after a pause of the rate limit is settled all the same', async () => {
	const when = { method: 'POST' };
	const { faults } = service.sandbox;
	// All rows wait, longer than the clock of the service is then known by.
	faults.add({ when, times: 4, response: { status: 429, headers: { 'retry-after': '9' } } });
	faults.add({ when, times: 2, actFirst: true, dropConnection: true });
	const rows = sheetOf(service.sandbox, 12);
	const { json, error } = await service.run({ ...createPosts, options: { maxWait: 30 } }, { rows });
	expect(error).toBeUndefined();
	expect(ledgerOf(service.sandbox, rows, json)).toEqual(NOTHING_WRONG);
});
