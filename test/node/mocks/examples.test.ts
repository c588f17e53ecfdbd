import { readFileSync } from 'node:fs';
import { OpenAPIBackend, type Document } from 'openapi-backend';
import { parse } from 'yaml';

import { Contract, CONTRACT_FILE, withFormats } from '../../../dev/sandbox/contract';

/** The examples of dev/sandbox/openapi.yaml: what a mock of it serves. */
const { components } = parse(readFileSync(CONTRACT_FILE, 'utf8')) as {
	components: { examples: Record<string, { value: unknown }> };
};

const LIMIT = {
	'retry-after': '2',
	'x-ratelimit-limit': '60',
	'x-ratelimit-remaining': '0',
	'x-ratelimit-reset': '1772434802',
};

interface Media {
	example?: unknown;
	examples?: Record<string, { value: unknown }>;
}

test('every request and response with a body has an example that fits its schema', async () => {
	const definition = parse(readFileSync(CONTRACT_FILE, 'utf8')) as Document;
	const api = new OpenAPIBackend({ definition, quick: true, customizeAjv: withFormats });
	await api.init();
	const contract = await Contract.load();
	let examples = 0;
	for (const operation of api.router.getOperations()) {
		const { operationId = '', path, method, requestBody, responses = {} } = operation;
		const mediaOf = (part: unknown) =>
			(part as { content?: Record<string, Media> } | undefined)?.content?.['application/json'];
		const valuesOf = ({ example: one, examples: several }: Media) =>
			one === undefined ? Object.values(several ?? {}).map(({ value }) => value) : [one];
		const body = mediaOf(requestBody);
		for (const value of body ? valuesOf(body) : []) {
			const ids = path.replace('{locationId}', 'loc_1').replace('{keywordId}', 'kw_1');
			const request = { method, path: ids, headers: {}, body: JSON.stringify(value) };
			expect(contract.read(operationId, request).body).toEqual(value);
			examples++;
		}
		for (const [status, response] of Object.entries(responses)) {
			const media = mediaOf(response);
			const values = media ? valuesOf(media) : [undefined];
			expect([operationId, status, values.length]).toEqual([operationId, status, 1]);
			const [value] = values;
			const served = {
				status: Number(status),
				body: value,
				headers: status === '429' ? LIMIT : {},
			};
			expect(contract.complaintAbout(operationId, served)).toBeUndefined();
			examples++;
		}
	}
	expect(examples).toBeGreaterThan(50);
});

test.each(['Locations', 'Keywords', 'RankScans', 'Posts'])('%s are a whole list', (name) => {
	const { data, meta } = components.examples[name].value as { data: unknown[]; meta: object };
	expect(meta).toEqual({ current_page: 1, per_page: 15, total: data.length });
});
