import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

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
		expect(compared).toBeGreaterThan(engine === 'legacy' ? 5_000 : 1_000);
		expect(evaluations.byNode).toBeLessThan(evaluations.byHost);
	},
	300_000,
);
