import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command } from '../n8n/command';
import { note } from '../n8n/compatibility';
import { flagsOf } from '../n8n/flags';
import { ROOT } from '../n8n/home';
import { runProgram } from '../n8n/program';
import { chosenVersions, installedN8n, installedNode, type Version } from '../n8n/versions';

/** A test, as dev/scripts/reporter.cjs writes it. */
interface Result {
	title: string;
	status: string;
}

const ABOUT =
	'Runs what matters most in the whole of every n8n in dev/n8n/versions/list.json, with each of its versions of Node.js. The first run installs them, 2.7 GB each.';

const readFlags = () =>
	flagsOf('npx gulp test:hosts', ABOUT)
		.option('--only <version>', 'one version of n8n')
		.option('--node <version>', 'one version of Node.js')
		.parse()
		.opts<{ only?: string; node?: string }>();

async function main(): Promise<boolean> {
	let isWell = true;
	for (const version of chosenVersions(readFlags())) {
		for (const node of version.nodes) {
			if (!(await test(version, node))) isWell = false;
		}
	}
	return isWell;
}

/** Returns whether its tests passed, and there were some. */
async function test(version: Version, node: string): Promise<boolean> {
	const [n8n, binary] = [await installedN8n(version), await installedNode(version, node)];
	console.log(`\nn8n ${version.n8n} on Node.js ${node}`);
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-hosts-'));
	const [titles, differences] = [join(folder, 'titles'), join(folder, 'differences')];
	writeFileSync(differences, '[]');
	const needsLegacy = Number(node.split('.')[0]) < 22;
	const env = {
		LOCAL_SEO_N8N: n8n,
		LOCAL_SEO_NODE: binary,
		LOCAL_SEO_DIFFERENCES: differences,
		TEST_TITLES: titles,
		// isolated-vm, which n8n evaluates expressions with, needs Node.js 22.
		...(needsLegacy && { LOCAL_SEO_EXPRESSION_ENGINE: 'legacy' }),
	};
	try {
		const { failed } = await command('jest', ['--selectProjects', 'hosts', '--ci', '--runInBand'], {
			cwd: ROOT,
			env,
			preferLocal: true,
			stdio: 'inherit',
			reject: false,
		});
		const results = readFileSync(titles, 'utf8')
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line) as Result);
		const titled = (isWanted: (status: string) => boolean) =>
			results.filter(({ status }) => isWanted(status)).map(({ title }) => title);
		const found = {
			passed: titled((status) => status === 'passed'),
			failed: titled((status) => status !== 'passed'),
			differs: [
				...(needsLegacy ? ['On Node.js 20, n8n needs N8N_EXPRESSION_ENGINE=legacy'] : []),
				...(JSON.parse(readFileSync(differences, 'utf8')) as string[]),
			],
		};
		console.log(`passed: ${found.passed.join(', ')}; failed: ${found.failed.join(', ') || 'none'}`);
		await note(version, { hosts: { [node]: found } });
		return !failed && found.passed.length > 0;
	} finally {
		rmSync(folder, { recursive: true });
	}
}

void runProgram(main);
