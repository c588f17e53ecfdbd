import { listed, sentences } from '../../text/words';
import type { Facts } from '../learn/facts';
import { messageOf } from '../labels';
import { Question } from '../outcome';
import { headingKey } from '../read/sheet';
import type { Draft } from './plan';

// Questions about a whole run, once and before anything is sent.

/** How many names of fields a message lists. */
const MAX_NAMES = 20;

/** @throws Question with all that has to be settled */
export function ask(drafts: Draft[], facts: Facts): void {
	const [first, ...others] = [
		...(facts.columns?.questions ?? []),
		...unshownTime(drafts, facts),
		...emptyMatchFields(drafts, facts),
		...contradictingTimes(drafts),
	];
	if (!first) return;
	const all = [first, ...others];
	throw new Question(
		others.length === 0 ? first.message : sentences(...all.map(({ message }) => message)),
		sentences('Nothing was sent', ...all.map(({ description }) => description)),
	);
}

/** A date in another order than the one in force: others of the run may have been read wrongly. */
function contradictingTimes(drafts: Draft[]): Question[] {
	const { row } = drafts.find((one) => one.row.problems.question) ?? {};
	if (!row) return [];
	const { message, description } = row.problems.question!;
	return [new Question(messageOf(row.rows, [row.index], message), description)];
}

/** A time in a field that the service does not know could publish a post at once. */
function unshownTime(drafts: Draft[], { fields: account }: Facts): Question[] {
	const [{ row }] = drafts;
	const { publishTime: name, isPublishTimeChosen, resource } = row;
	const areSomeLater = drafts.some((one) => one.row.whenToPublish === 'scheduled');
	const isShown = !account || account.count === 0 || account.seen.has(name ?? '');
	if (name === undefined || isShown || isPublishTimeChosen || !areSomeLater) return [];
	return [
		new Question(
			`No field ${name} in the ${account.count} ${resource.noun}${account.count === 1 ? ' that was' : 's that were'} read`,
			`Name the field with the time to publish in the option 'Publish Time Field', ${name} if that is it. They show: ${listed(account.names, MAX_NAMES)}.`,
		),
	];
}

/** Match fields whose expressions come out empty in each of several rows: they read nothing. */
function emptyMatchFields(drafts: Draft[], { columns }: Facts): Question[] {
	const [{ row }] = drafts;
	const { matchFields = [] } = row.resource;
	const compared = columns?.matchFields.length ? columns.matchFields : matchFields;
	const keys = new Set(compared.map(headingKey));
	const isLost = (name: string) =>
		drafts.every(({ fields, row: one }) => !(name in fields) && !one.problems.error);
	return [...row.mapping.mapped, ...row.mapping.added].flatMap(({ field, isExpression }) => {
		if (drafts.length < 2 || !isExpression || !keys.has(headingKey(field)) || !isLost(field))
			return [];
		return new Question(
			`${field}: the expression is empty in each of the ${drafts.length} rows`,
			`Rows are told apart by ${field}. Map it to a column that your rows have, or leave it out.`,
		);
	});
}
