import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { byId, columns, useSandbox } from '../support/fixture';
import { evaluator } from '../support/hostFeatures';

const run = promisify(execFile);
const SUPPORT = join(__dirname, '..', 'support');

/** What test/support/expressions.ts prints. */
interface Comparison {
	compared: number;
	differences: object[];
	evaluations: { byHost: number; byNode: number };
}

async function compareWith(engine: string): Promise<Comparison> {
	const script = ['--require', join(SUPPORT, 'typescript.cjs'), join(SUPPORT, 'expressions.ts')];
	const { stdout } = await run(process.execPath, [...script, engine], { maxBuffer: 2 ** 26 });
	return JSON.parse(stdout) as Comparison;
}

/** The engine that n8n has switched on is a native module, for the versions of Node.js that n8n runs on. */
const isForHost = Number(process.versions.node.split('.')[0]) >= 24;

/** n8n's other engines came later, and each with a version of its own. */
const others = process.env.LOCAL_SEO_ENGINE ? [] : ['quickjs', ...(isForHost ? ['vm'] : [])];

test.each(['legacy', ...others])(
	"every parameter is read as n8n reads it, with n8n's engine %s",
	async (engine) => {
		const { compared, differences, evaluations } = await compareWith(engine);
		expect(differences).toEqual([]);
		expect(compared).toBeGreaterThan(engine === 'legacy' ? 6_000 : 1_000);
		expect(evaluations.byNode).toBeLessThan(evaluations.byHost);
	},
	300_000,
);

describe('what n8n evaluates for three rows', () => {
	const service = useSandbox();
	const evaluate = jest.spyOn(evaluator, 'resolveSimpleParameterValue');
	afterAll(() => evaluate.mockRestore());

	const rows = () =>
		[1, 2, 3].map((number) => ({
			'location id': service.sandbox.account.locations[0].id,
			title: `Offer ${number}`,
			day: new Date(86_400_000 * number),
			price: number,
			text: `Text ${number}`,
		}));
	const posts = () =>
		[1, 2, 3].map((price) => ({ title: `Offer ${price}`, content: `Text ${price}`, price }));
	const evaluationsOf = async (locationId: string, fields: Record<string, string>) => {
		evaluate.mockClear();
		const { json, error } = await service.run(
			{
				resource: 'post',
				operation: 'create',
				locationId: byId(locationId),
				fields: columns(fields),
			},
			{ rows: rows() },
		);
		const texts = evaluate.mock.calls.map(([value]) => value);
		const sent = service.sandbox.requests.filter(({ method }) => method === 'POST');
		expect(error).toBeUndefined();
		expect(json.map(({ title }) => title)).toEqual(['Offer 1', 'Offer 2', 'Offer 3']);
		return {
			evaluations: texts.filter((text) => typeof text === 'string' && text.startsWith('=')),
			sent: sent.map(({ body }) => body),
		};
	};

	test('columns of the row: nothing', async () => {
		const { evaluations, sent } = await evaluationsOf('={{ $json["location id"] }}', {
			title: '={{ $json.title }}',
			content: '={{ $json.text }}',
			price: '={{ $json.price }}',
			note: '={{ $json.missing }}',
		});
		expect(evaluations).toEqual([]);
		expect(sent).toEqual(posts());
	});

	test('a date: each field, where its row has one', async () => {
		const { evaluations, sent } = await evaluationsOf('={{ $json["location id"] }}', {
			title: '={{ $json.title }}',
			content: '={{ $json.text }}',
			publish_at: '={{ $json.day }}',
		});
		expect(evaluations).toHaveLength(3 * 3);
		expect(sent[0]).toMatchObject({ title: 'Offer 1', publish_at: '1970-01-02T00:00:00.000Z' });
	});

	test('values of another node: each one', async () => {
		const { evaluations, sent } = await evaluationsOf('={{ $json["location id"] }}', {
			title: "={{ $('Rows').item.json.title }}",
			content: "={{ $('Rows').item.json.text }}",
			price: '={{ $input.item.json.price }}',
		});
		expect(evaluations).toHaveLength(3 * 3);
		expect(sent).toEqual(posts());
	});

	test('an expression that calculates: each one', async () => {
		const { evaluations } = await evaluationsOf('={{ $json["location id"] }}', {
			title: '={{ $json.title }}',
			content: '={{ $json.text.toUpperCase() }}',
		});
		expect(evaluations).toHaveLength(3 * 2);
	});
});
