import { listed, sentences } from '../../text/words';
import { asJson } from '../item';
import type { Performed } from '../outcome';
import type { Row } from '../read/row';
import { sentencesOf } from '../report/hints';

/** How many locations a note lists. */
const MAX_LOCATIONS = 5;

/**
 * A result with what hints would say, as the field `note` of its first item: nobody sees the hints of a
 * tool. It is an item of its own where there is none, or where the first one has such a field.
 */
export function withNote(row: Row, performed: Performed): Performed {
	const note = sentences(
		nothingFound(row, performed),
		more(row, performed),
		...sentencesOf(performed.notes),
	);
	if (note === '') return performed;
	const [first, ...others] = performed.records;
	const isFree = first !== undefined && !Object.hasOwn(asJson(first), 'note');
	const records = isFree
		? [{ ...asJson(first), note }, ...others]
		: [...performed.records, { note }];
	return { ...performed, records };
}

function nothingFound({ resource }: Row, { records, empty }: Performed): string | undefined {
	const { noun, whyEmpty } = resource;
	if (empty?.length) return `No ${noun}s were found for ${listed(empty, MAX_LOCATIONS)}`;
	return records.length === 0 && !empty ? `No ${noun}s were found. ${whyEmpty ?? ''}` : undefined;
}

function more({ resource }: Row, { records, total }: Performed): string | undefined {
	if (total === undefined) return undefined;
	const of = total < Infinity ? ` of ${total}` : '';
	const rest = total < Infinity ? '' : ', and there may be more';
	return `These are ${records.length}${of} ${resource.noun}s, as 'Limit' says${rest}`;
}
