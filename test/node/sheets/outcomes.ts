import type { INodeParameters } from 'n8n-workflow';

import type { RunOptions } from '../../support/engine';
import { byId, columns, goOn } from '../../support/fixture';
import { postSheet } from '../../support/sheet';
import type { Fields, Service, useBackend } from '../backend';

// A sheet of posts, and what becomes of each of its rows.

export const TEXTS = ['Open on Sunday', 'Kuchen am Advent', 'New hours', 'Sale', 'Snow', 'Gifts'];

/** Adds texts of its own to each row. */
export const rowsOf = (...cells: Fields[]): Fields[] =>
	cells.map((more, index) => ({ title: TEXTS[index], content: `About ${TEXTS[index]}`, ...more }));

/** Posts rows of the first location; errors go on, so that each row says what became of it. */
export async function post(
	service: Service,
	rows: Fields[],
	set: INodeParameters = {},
	more: Partial<RunOptions> = {},
) {
	const locationId = byId(service.location());
	const parameters = { ...postSheet, locationId, whenToPublish: 'scheduled', ...set };
	const before = service.sent('POST').length;
	const how = { rows, ...goOn, timezone: 'Europe/Berlin', ...more };
	const { json, hints, error } = await service.run(parameters, how);
	/** All that each row says of why it is not sent. */
	const words = json.map(({ error: own, problem = '', advice = '' }) => {
		const said = own ? (own as Fields) : { message: problem, description: advice };
		return `${String(said.message)} | ${String(said.description)}`;
	});
	return { json, hints, error, words, sent: service.sent('POST').slice(before) };
}

/** What is sent of a row beside its title and content; 'skipped'; or words with which it is refused. */
type Outcome = Fields | 'skipped' | RegExp | string[];
export type Line = [cells: Fields, outcome: Outcome];
/** `known`: what the account's posts show; a title, a content and a time to come are usual. */
export type Case = [
	name: string,
	lines: Line[],
	set?: INodeParameters,
	known?: Fields | 'no posts',
];

/** All rows are refused with one question. */
export const asks = (words: string[] | RegExp, ...cells: Fields[]): Line[] =>
	cells.map((one) => [one, words]);

const PLANNED = { title: 'Planned', content: 'Later', publish_at: '2099-01-01T10:00:00Z' };
/** Two ways to be without `publish_at`: no post shows any time, or another field has it. */
export const NO_TIME = { publish_at: undefined };
export const OTHER_TIME = { ...NO_TIME, scheduled_for: PLANNED.publish_at };

/** Gives an account posts that show these fields. */
export function showing(service: Service, known: Case[3] = {}): Service {
	if (known !== 'no posts') service.addPosts({ ...PLANNED, ...known });
	return service;
}

const isSent = (outcome: Outcome): outcome is Fields =>
	typeof outcome === 'object' && !Array.isArray(outcome) && !(outcome instanceof RegExp);

/** Each row comes to its outcome, and the dry run before says so. */
export const check =
	(backend: ReturnType<typeof useBackend>) =>
	async (...[, lines, set = {}, known]: Case) => {
		const service = showing(backend(), known);
		const rows = rowsOf(...lines.map(([cells]) => cells));
		const dry = await post(service, rows, { ...set, dryRun: true });
		expect(dry.sent).toEqual([]);
		const run = await post(service, rows, set);
		for (const [index, [, outcome]] of lines.entries()) {
			const { id, outcome: came } = run.json[index];
			const said = [dry.json[index].action ?? 'invalid', came];
			if (outcome === 'skipped') {
				expect(said).toEqual(['skip', 'skipped']);
			} else if (isSent(outcome)) {
				expect([run.words[index], ...said]).toEqual([' | ', 'create', 'created']);
				const made = service.all('posts').find((one) => one.id === id)!;
				const isOfRow = ({ title, content }: Fields) =>
					title === made.title && content === made.content;
				const { title, content } = rows[index];
				expect(run.sent.find(isOfRow)).toEqual({ title, content, ...outcome });
			} else {
				expect([dry.json[index].goes_live ?? '', ...said]).toEqual(['', 'invalid', undefined]);
				for (const { words } of [dry, run]) expectWords(words[index], outcome);
			}
		}
		expect(run.sent).toHaveLength(lines.filter(([, outcome]) => isSent(outcome)).length);
	};

function expectWords(words: string, expected: Outcome): void {
	if (expected instanceof RegExp) expect(words).toMatch(expected);
	else for (const one of expected as string[]) expect(words).toContain(one);
	// No message advises to clear a time, since the post would go out; nor is a time that is refused called empty.
	expect(words).not.toMatch(/clear|blank|leave .* empty/i);
	if (!String(expected).includes(' is empty')) expect(words).not.toContain('would go live at once');
}

export const at = (publish_at: unknown): Fields => ({ publish_at });
/** A row for Christmas Eve, and what is sent of its time. */
export const christmas = (more: Fields = {}): Fields => ({ publish_at: '2027-12-24', ...more });
export const CHRISTMAS = { publish_at: '2027-12-24T00:00:00+01:00' };

export const NOW = { whenToPublish: 'now' };
export const options = (one: Fields) => ({ options: one }) as INodeParameters;
export const additional = (...fields: Fields[]) => options({ additionalFields: { fields } });
/** The columns mapped one by one, the time by this expression. */
export const byHand = (publish_at: string) => ({
	fields: columns({ title: '={{ $json.title }}', content: '={{ $json.content }}', publish_at }),
});
export const MAPPED = byHand('={{ $json.publish_at }}');
