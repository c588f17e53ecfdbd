import { InputError } from '../../text/inputError';
import { Question } from '../outcome';
import type { PlanOf } from '../plan/plan';

// Why posts with a time are not sent.

type Plan = PlanOf<'create'>;

/** @param why what else was seen of its list; empty: it does not show the post */
export function notListed({ row }: Plan, why: string): Question {
	const seen = why || 'planned posts are not listed';
	return new Question(
		`1 ${row.resource.noun} went out, and ${seen}, so a repeat would post ${why ? 'it' : 'them'} again`,
		why
			? `Look for it in the dashboard. If its time is right, name ${row.publishTime} in the option 'Publish Time Field', and remove the row.`
			: "Set 'If It Already Exists' to 'Create Another One', and filter what was posted. If the list only lags, run this again.",
	);
}

/** Neither its answer nor its list shows the time of a post. */
export function notShown({ row }: Plan): Question {
	const { publishTime, resource } = row;
	return new Question(
		`1 ${resource.noun} went out, and neither the answer nor the list shows its ${publishTime}`,
		nameTheField(row),
	);
}

/** Nobody knows whether the first post is there, and at which time. */
export function notConfirmed({ row }: Plan): Question {
	return new Question(
		`The first ${row.resource.noun} with a time could not be confirmed, so the others were not sent`,
		nameTheField(row),
	);
}

const nameTheField = ({ publishTime }: Plan['row']): string =>
	`Look for it in the dashboard. Name the field with the time to publish in the option 'Publish Time Field': ${publishTime}, if it is planned for the right time or is not there, else the one that your service uses.`;

/** @param other what the service shows of the first post (`otherTimeIn`) */
export function stopped({ row: { publishTime, resource } }: Plan, other: string): Question {
	return new Question(
		`1 ${resource.noun} went out, and the service shows ${other}`,
		`The rows after it were not sent. If your service calls the time otherwise than ${publishTime}, name that field in the option 'Publish Time Field'. Nothing with a time is sent for this account until a run with 'Skip the Row', or a dry run, finds a planned post that its list did not show before, or n8n restarts.`,
	);
}

/** The error of rows that wait for the first one, which was not sent in time. */
export const notSent = ({ row }: Plan) =>
	new InputError(
		'The first row with a time was not sent within Max Wait',
		`Until the service has shown that it keeps ${row.publishTime}, the other rows wait for it. Run them again.`,
	);
