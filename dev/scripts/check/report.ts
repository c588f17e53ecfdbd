import { markdownTable } from 'markdown-table';
import { parseDocument, type Scalar, type YAMLMap } from 'yaml';

import { groupBy } from '../../n8n/groupBy';
import { type Assumption, readChecked } from '../assumptions';
import { CHECKS, type Finding, unseen } from './checks';
import type { Evidence } from './account';

/** An assumption, and what is true of it. */
export type Judged = Assumption & Finding;

export function judge(evidence: Evidence): Judged[] {
	return readChecked().map((assumption) => {
		const { check = '', uncheckedBecause = '', options } = assumption;
		const finding = CHECKS[check]?.(evidence, assumption) ?? unseen(uncheckedBecause);
		const option = finding.to === undefined ? undefined : (finding.option ?? options[0]);
		return { ...assumption, ...finding, option };
	});
}

/** One row for each title and outcome, since there are several lists. */
function rowsOf(judged: Judged[]) {
	const groups = groupBy(judged, ({ title, outcome, option }) => [title, outcome, option].join());
	return [...groups.values()].map((group) => {
		const [{ title, outcome, option, to }] = group;
		const seen = [...new Set(group.map((one) => one.seen))].join(', ');
		const todo = option === undefined ? 'nothing to do' : `set ${option} to ${to}`;
		const [mark, text] = {
			assumed: ['✓', seen],
			otherwise: ['✗', `${seen}: ${todo}`],
			unseen: ['?', `not seen: ${seen}`],
		}[outcome];
		return { mark, title, text, where: group.map(({ where }) => where).join('; ') };
	});
}

/** The lines for a terminal; the last one counts the assumptions. */
export function linesOf(judged: Judged[]): string[] {
	const rows = rowsOf(judged);
	const width = Math.max(...rows.map(({ title }) => title.length));
	const lines = rows.map(({ mark, title, text }) => `${mark} ${title.padEnd(width)}  ${text}`);
	const count = (outcome: string) => judged.filter((one) => one.outcome === outcome).length;
	const { size } = new Set(judged.flatMap(({ option = [] }) => option));
	const options = size > 0 ? ` (${size} option${size === 1 ? '' : 's'} to set)` : '';
	const summary = `${count('assumed')} as assumed, ${count('otherwise')} otherwise${options}`;
	return [...lines, `${summary}, ${count('unseen')} not seen`];
}

/** The same as a page in Markdown. */
export function pageOf(judged: Judged[], version: string, day: string): string {
	const head = ['', 'What is assumed', 'What was seen', 'Where in dev/sandbox/openapi.yaml'];
	const rows = rowsOf(judged).map(({ mark, title, text, where }) => [mark, title, text, where]);
	const table = markdownTable([head, ...rows], { alignDelimiters: false });
	return `# A service, as n8n-nodes-local-seo ${version} sees it

Written by \`npm run check\` on ${day}. The API key and the contents of the account are not in it.

${table}

${linesOf(judged).pop()}
`;
}

/** The text of dev/sandbox/openapi.yaml with what was seen; what is as assumed is assumed no longer. */
export function withSeen(text: string, judged: Judged[], day: string): string {
	const contract = parseDocument(text);
	for (const { path, isAssumed, outcome, seen } of judged) {
		if (!isAssumed || outcome === 'unseen') continue;
		const words = `${day}, ${outcome === 'assumed' ? 'as assumed' : outcome}: ${seen}`;
		const { items } = contract.getIn(path) as YAMLMap<Scalar>;
		const mark = items.find(({ key }) => key.value === 'x-assumed')!;
		if (outcome === 'assumed') Object.assign(mark, contract.createPair('x-seen', words));
		else contract.setIn([...path, 'x-seen'], words);
	}
	return contract.toString({ lineWidth: 102, flowCollectionPadding: false, singleQuote: true });
}
