import jsonServer from 'json-server';

import { runNode } from '../../support/engine';
import { byId, columns } from '../../support/fixture';
import { serve } from '../../support/mockServers';

test('json-server has no envelope: an error says what came, and nothing is sent', async () => {
	const posts = [{ id: 'post_1', locationId: 'loc_1', title: 'Offer', content: 'What is in it' }];
	const app = jsonServer.create();
	app.use(jsonServer.rewriter({ '/api/v1/*': '/$1' }));
	app.use(jsonServer.router({ locations: [{ id: 'loc_1' }], posts }));
	const server = await serve(app);
	const credential = { baseUrl: `${server.origin}/api/v1`, apiKey: 'any' };
	const fields = columns({ title: 'Rye week', content: 'Five kinds of rye bread' });
	for (const operation of ['getAll', 'create']) {
		const of = { resource: 'post', operation, locationId: byId('loc_1') };
		const { json, error } = await runNode({ credential, parameters: { ...of, fields } });
		expect([json, error?.message]).toEqual([
			[],
			`The response has no list in 'data', but: ${JSON.stringify(posts)}`,
		]);
	}
	expect(posts).toHaveLength(1);
	await server.close();
});
