import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import ts from 'typescript';

import { ROOT } from '../../dev/n8n/home';
import { VERSIONS } from '../../dev/n8n/versions';
import { filesIn } from '../../dev/scripts/files';
import { eventTypes } from '../../nodes/LocalSeo/trigger/events';

// The pages: their links lead somewhere, what they quote is there, and they stay short.

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const pages = filesIn('.', '.github').filter((path) => path.endsWith('.md'));

/** The text without code, in which brackets are no links and hashes no headings. */
const withoutCode = (text: string) =>
	text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(path: string): string[] {
	const headings = read(path)
		.replace(/^```[\s\S]*?^```/gm, '')
		.matchAll(/^#+ (.+)$/gm);
	return [...headings].map(([, heading]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replace(/ /g, '-'),
	);
}

function linksOf(page: string) {
	const targets = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to]) => to);
	return targets
		.filter((target) => !/^[a-z]+:/.test(target))
		.map((target) => {
			const [file, anchor] = target.split('#') as [string, string?];
			const path = file === '' ? page : relative(ROOT, join(ROOT, dirname(page), file));
			return { page, path, anchor };
		});
}

test('every link leads to a file, and to a heading in it', () => {
	const links = pages.flatMap(linksOf);
	expect(links.length).toBeGreaterThan(50);
	expect(links.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
	const anchored = links.filter(({ anchor }) => anchor !== undefined);
	expect(anchored.filter(({ path, anchor }) => !anchorsOf(path).includes(anchor!))).toEqual([]);
});

test('the buttons of the panel lead to headings of the README', () => {
	const files = ['credentials/LocalSeoApi.credentials.ts', 'nodes/LocalSeo/LocalSeo.node.json'];
	files.push('nodes/LocalSeo/LocalSeoTrigger.node.json');
	const anchors = files.flatMap((file) => [...read(file).matchAll(/local-seo#([\w-]+)/g)]);
	expect(anchors.length).toBeGreaterThan(3);
	// `#readme` is GitHub's own.
	const known = [...anchorsOf('README.md'), 'readme'];
	for (const [, anchor] of anchors) expect(known).toContain(anchor);
});

test('the tests that the pages name are there', () => {
	const named = pages
		.filter((page) => page !== 'CHANGELOG.md')
		.flatMap((page) => [...read(page).matchAll(/`(test\/[\w/.-]+)`(?:, "([^"$%]+)")?/g)]);
	expect(named.length).toBeGreaterThan(60);
	const isThere = ([, path, title = '']: string[]) =>
		existsSync(join(ROOT, path)) &&
		(title === '' || read(path).replace(/\\'/g, "'").includes(title));
	expect(named.filter((one) => !isThere(one)).map(([, path, title]) => [path, title])).toEqual([]);
});

function sectionOf(path: string, anchor: string): string {
	const sections = read(path).split(/^(?=#+ )/m);
	return sections[anchorsOf(path).indexOf(anchor) + (sections[0].startsWith('#') ? 0 : 1)];
}

test('the README names the versions of n8n that are tried', () => {
	const table = sectionOf('README.md', 'compatibility');
	for (const { n8n } of VERSIONS) expect(table).toContain(/^\d+\.\d+/.exec(n8n)![0]);
});

test('docs/trigger.md names every event', () => {
	const events = sectionOf('docs/trigger.md', 'events');
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
	const rows = sectionOf('README.md', 'troubleshooting').split('\n').slice(4).filter(Boolean);
	const messages = rows.map((row) => row.split('|')[1].trim());
	expect(messages).toHaveLength(10);
	// Every text in the source is a pattern, in which anything may be filled in.
	const patterns = filesIn('credentials', 'nodes')
		.filter((path) => path.endsWith('.ts'))
		.flatMap(textsIn)
		.filter((parts) => parts.join('').length > 12)
		.map((parts) => parts.map((part) => part.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&')).join('.+'))
		.map((pattern) => new RegExp(`^${pattern}$`));
	const isSaid = (message: string) => patterns.some((pattern) => pattern.test(message));
	expect(messages.filter((message) => !isSaid(message))).toEqual([]);
});

/** What counts as a word: not the signs of a table. */
const wordsIn = (text: string) => text.split(/\s+/).filter((word) => /\w/.test(word)).length;

test('the README has at most 1,100 words, the pages together 15,000: what is more is read by nobody', () => {
	expect(wordsIn(read('README.md'))).toBeLessThanOrEqual(1_100);
	expect(pages.reduce((sum, page) => sum + wordsIn(read(page)), 0)).toBeLessThanOrEqual(15_000);
});
