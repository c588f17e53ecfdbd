import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command } from '../n8n/command';
import { flagsOf } from '../n8n/flags';
import { ROOT } from '../n8n/home';
import { runProgram } from '../n8n/program';
import { chosenVersions, installedEngine, VERSIONS } from '../n8n/versions';

/** What runs on each engine: behavior, ordinary services, faults, and what depends on n8n's classes. */
const ALL =
	'test/node/(?!mocks|sheets)|unit/(credential|errors|faultFrom|fieldTypes|pollBudget|requestSettings)';
/** In `npm test`, which runs all of them on the pinned n8n: what depends on the classes of n8n's errors. */
const SHORT = 'node/(credentialTest|bothWays|retryOnFail)|faults/faults|unit/faultFrom';

const ABOUT = 'Runs the tests on the engine of every n8n in dev/n8n/versions/list.json.';

const readFlags = () =>
	flagsOf('npx gulp test:versions', ABOUT)
		.option('--short', 'a few of them, on the oldest n8n alone')
		.option('--only <version>', 'on one of them')
		.parse()
		.opts<{ short?: boolean; only?: string }>();

async function main(): Promise<boolean> {
	const { short = false, only } = readFlags();
	let isWell = true;
	for (const version of short ? VERSIONS.slice(0, 1) : chosenVersions(only)) {
		const engine = await installedEngine(version);
		console.log(`\nn8n ${version.n8n}`);
		// Their other engine of expressions is a native module for the versions of Node.js that they run on.
		const env: NodeJS.ProcessEnv = engine
			? { LOCAL_SEO_ENGINE: engine, N8N_EXPRESSION_ENGINE: 'legacy' }
			: {};
		const { passed, failed } = await jest(env, short ? SHORT : ALL);
		console.log(`n8n ${version.n8n}: ${passed} tests passed, ${failed} failed`);
		isWell &&= failed === 0 && passed > 0;
	}
	return isWell;
}

async function jest(env: NodeJS.ProcessEnv, patterns: string) {
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-versions-'));
	const counts = join(folder, 'counts');
	// n8n 1 leaves a timer behind (of its SSH connections), with which jest would not end.
	const args = ['--selectProjects', 'quick', '--ci', '--forceExit', '--testPathPatterns', patterns];
	const how = { cwd: ROOT, preferLocal: true, stdio: 'inherit', reject: false } as const;
	try {
		await command('jest', args, { ...how, env: { ...env, TEST_COUNTS: counts } });
		return JSON.parse(readFileSync(counts, 'utf8')) as { passed: number; failed: number };
	} finally {
		rmSync(folder, { recursive: true });
	}
}

void runProgram(main);
