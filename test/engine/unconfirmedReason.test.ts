import { useShortWatch } from '../support/shortWatch';
import { useSandbox } from '../support/fixture';
import { createPosts, sheetOf } from '../support/sheet';

useShortWatch();
const service = useSandbox();

test.each([
	{ message: 'Your plan allows 20 posts a month', data: [] },
	{ code: 40_003, msg: 'Your plan allows 20 posts a month', data: null },
])('a success without a record says why in its own words: %j', async (body) => {
	service.sandbox.faults.add({ when: { method: 'POST' }, response: { status: 200, body } });
	const { error } = await service.run(createPosts, { rows: sheetOf(service.sandbox, 1) });
	expect(error?.message).toMatch(/Could not confirm whether/);
	expect(error?.description).toMatch(/The service said: "Your plan allows 20 posts a month"\.$/);
});
