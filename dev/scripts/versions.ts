// `npx gulp test:versions`: the tests on the engine of every n8n in dev/n8n/versions/list.json.
import { Option } from 'commander';
import { command } from '../n8n/command';
import { flagsOf } from '../n8n/flags';
import { ROOT } from '../n8n/home';
import { runProgram } from '../n8n/program';
import { installedEngine, VERSIONS } from '../n8n/versions';

/** What runs on each engine: behavior, ordinary services, faults, and what depends on n8n's classes. */
const ALL =
	'test/node/(?!mocks|sheets)|unit/(credential|errors|faultFrom|fieldTypes|pollBudget|requestSettings)';
/** In `npm test`, which runs all of them on the pinned n8n: what depends on the classes of n8n's errors. */
const SHORT = 'node/(credentialTest|bothWays|retryOnFail)|faults/faults|unit/faultFrom';

const readFlags = () =>
	flagsOf('npx gulp test:versions')
		.option('--short', 'a few of them, on the oldest n8n alone')
		.addOption(new Option('--only <version>', 'on one of them').choices(VERSIONS))
		.parse()
		.opts<{ short?: boolean; only?: string }>();

async function main(): Promise<boolean> {
	const { short = false, only } = readFlags();
	const [oldest] = VERSIONS;
	const failed: string[] = [];
	for (const version of only ? [only] : short ? [oldest] : VERSIONS) {
		const engine = await installedEngine(version);
		console.log(`\nn8n ${version}`);
		// Their other engine of expressions is a native module for the versions of Node.js that they run on.
		const env = engine && { LOCAL_SEO_ENGINE: engine, N8N_EXPRESSION_ENGINE: 'legacy' };
		// n8n 1 leaves a timer behind (of its SSH connections), with which jest would not end.
		const how = ['--selectProjects', 'quick', '--ci', '--forceExit'];
		const tests = ['--testPathPatterns', short ? SHORT : ALL];
		const { exitCode } = await command('jest', [...how, ...tests], {
			...({ cwd: ROOT, preferLocal: true, stdio: 'inherit', reject: false } as const),
			...(env && { env }),
		});
		if (exitCode !== 0) failed.push(version);
	}
	console.log(failed.length > 0 ? `Failed on n8n ${failed.join(', ')}` : 'All passed');
	return failed.length === 0;
}

void runProgram(main);
