import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { execaSync } from 'execa';
import escapeRegExp from 'lodash/escapeRegExp';
import ts from 'typescript';

import { ROOT } from '../../dev/n8n/home';
import { VERSIONS } from '../../dev/n8n/versions';
import { eventTypes } from '../../nodes/LocalSeo/trigger/events';

// The pages: their links lead somewhere, what they quote is there, and they stay short.

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const filesLike = (...patterns: string[]) =>
	execaSync('git', ['ls-files', ...patterns], { cwd: ROOT }).stdout.split('\n');
const pages = filesLike('*.md').filter((path) => existsSync(join(ROOT, path)));

/** Without blocks of code, in which brackets are no links and hashes no headings. */
const proseOf = (page: string) => read(page).replace(/^```[\s\S]*?^```/gm, '');

/** The anchors that GitHub gives the headings of a page. */
const anchorsOf = (page: string) =>
	[...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replace(/ /g, '-'),
	);

/** A link that leads nowhere, as it stands on the page. */
const isBroken = (page: string, target: string) => {
	const [file, anchor] = target.split('#') as [string, string?];
	const path = file === '' ? page : relative(ROOT, join(ROOT, dirname(page), file));
	if (!existsSync(join(ROOT, path))) return true;
	return anchor !== undefined && !anchorsOf(path).includes(anchor);
};

test('every link leads to a file, and to a heading in it', () => {
	const links = pages.flatMap((page) => {
		const prose = proseOf(page).replace(/`[^`\n]*`/g, '');
		const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
		return targets.filter((target) => !/^[a-z]+:/.test(target)).map((target) => [page, target]);
	});
	expect(links.length).toBeGreaterThan(50);
	expect(links.filter(([page, target]) => isBroken(page, target))).toEqual([]);
});

test('the links of panels and examples lead to headings of the pages', () => {
	const texts = filesLike('credentials/*.ts', 'nodes/*.node.json', 'examples/*.json').map(read);
	const ofReadme = texts.flatMap((text) => [...text.matchAll(/local-seo(#[\w-]+)/g)]);
	const others = texts.flatMap((text) => [...text.matchAll(/\/blob\/main\/([^)"\s]+)/g)]);
	const links = [
		...ofReadme.map(([, anchor]) => `README.md${anchor}`),
		...others.map(([, to]) => to),
	];
	expect(links.length).toBeGreaterThan(4);
	// `#readme` is GitHub's own.
	const broken = links.filter((to) => to !== 'README.md#readme' && isBroken('README.md', to));
	expect(broken).toEqual([]);
});

test('the tests that the pages name are there', () => {
	const named = pages
		.filter((page) => page !== 'CHANGELOG.md')
		.flatMap((page) => [...read(page).matchAll(/`(test\/[\w/.-]+)`(?:, "([^"$%]+)")?/g)]);
	expect(named.length).toBeGreaterThan(20);
	const isThere = ([, path, title = '']: string[]) =>
		existsSync(join(ROOT, path)) &&
		(title === '' || read(path).replace(/\\'/g, "'").includes(title));
	expect(named.filter((one) => !isThere(one)).map(([, path, title]) => [path, title])).toEqual([]);
});

const sectionOf = (page: string, heading: string) =>
	read(page)
		.split(/^(?=## )/m)
		.find((section) => section.startsWith(`## ${heading}\n`))!;

test('the README names the versions of n8n that are tried, docs/trigger.md every event', () => {
	const table = sectionOf('README.md', 'Compatibility');
	for (const version of VERSIONS) expect(table).toContain(/^\d+\.\d+/.exec(version)![0]);
	const events = sectionOf('docs/trigger.md', 'Events');
	for (const { label } of eventTypes) expect(events).toContain(label);
});

/** The texts of a source file, each in the parts that stand between its expressions. */
function textsIn(path: string): string[][] {
	const texts: string[][] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node)) texts.push([node.text]);
		if (ts.isTemplateExpression(node)) {
			texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]);
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest));
	return texts;
}

test('the messages of the README are those of the node', () => {
	const [ours] = sectionOf('README.md', 'Troubleshooting').split('\n### ');
	const messages = [...ours.matchAll(/^\| ([^|]+?) +\|/gm)].slice(2).map(([, text]) => text);
	expect(messages.length).toBeGreaterThan(4);
	// Every text in the source is a pattern, in which anything may be filled in.
	const patterns = filesLike('credentials/*.ts', 'nodes/*.ts')
		.flatMap(textsIn)
		.filter((parts) => parts.join('').length > 12)
		.map((parts) => new RegExp(`^${parts.map(escapeRegExp).join('.+')}$`));
	const isSaid = (message: string) => patterns.some((pattern) => pattern.test(message));
	expect(messages.filter((message) => !isSaid(message))).toEqual([]);
});

/** What counts as a word: not the signs of a table. */
const wordsIn = (text: string) => text.split(/\s+/).filter((word) => /\w/.test(word)).length;

test('the README has at most 1,100 words, the pages together 15,000: what is more is read by nobody', () => {
	expect(wordsIn(read('README.md'))).toBeLessThanOrEqual(1_100);
	expect(pages.reduce((sum, page) => sum + wordsIn(read(page)), 0)).toBeLessThanOrEqual(15_000);
});
