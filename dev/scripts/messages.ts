// `npx gulp messages` prints every text that a user can meet, file by file, to be read aloud from top to
// bottom: messages, hints and findings, and the words of the panel. `{noun}` stands for what is filled in.
import { readFileSync } from 'node:fs';
import ts from 'typescript';

import { ROOT } from '../n8n/home';
import { filesIn } from './files';

const FOLDERS = ['credentials', 'nodes/LocalSeo'];
/** What knows no user. */
const SILENT = /\/client\/|\.schema\./;
/** A text, not a name: it has two words at least. */
const TEXT = /[A-Za-z{}]\S*\s+\S*[A-Za-z{}]/;

/** The text of a literal with its expressions in braces; undefined for anything else. */
function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	const spans = node.templateSpans.map(({ expression, literal }) => {
		const filledIn = expression.getText();
		return `{${/^[\w.()[\], ]+$/.test(filledIn) ? filledIn : '…'}}${literal.text}`;
	});
	return node.head.text + spans.join('');
}

/** The texts of a file, in their order, each once. */
export function textsIn(path: string): string[] {
	const source = ts.createSourceFile(
		path,
		readFileSync(`${ROOT}/${path}`, 'utf8'),
		ts.ScriptTarget.Latest,
		true,
	);
	const texts = new Set<string>();
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node)) return;
		const text = textOf(node);
		if (text !== undefined && TEXT.test(text)) texts.add(text.replace(/\s+/g, ' ').trim());
		ts.forEachChild(node, visit);
	};
	visit(source);
	return [...texts];
}

/** The files that have texts for users, and these. */
export function allTexts(): Array<[path: string, texts: string[]]> {
	return filesIn(...FOLDERS)
		.filter((path) => path.endsWith('.ts') && !SILENT.test(path))
		.map((path): [string, string[]] => [path, textsIn(path)])
		.filter(([, texts]) => texts.length > 0);
}

if (require.main === module) {
	for (const [path, texts] of allTexts()) {
		console.log(`\n## ${path}\n\n${texts.map((text) => `- ${text}`).join('\n')}`);
	}
}
