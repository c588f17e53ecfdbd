import { type FilledIn, isSent } from '../read/mapping';
import type { Row } from '../read/row';
import type { SheetColumns } from './columns';

/** A value that a row gives to a field: of the mapper, of an additional field, or a cell as it came. */
interface Given extends Pick<FilledIn, 'field' | 'value' | 'type' | 'isBroken'> {
	isCell: boolean;
}

/** The values of a row, from whichever source; Additional Fields replace the others. Some are blank. */
export function givenBy({ mapping, columns }: Row, { sent }: SheetColumns): Given[] {
	const given = ({ field, value, type, isBroken }: FilledIn): Given => ({
		...{ field, value, type, isBroken, isCell: false },
	});
	const cells = sent.map(({ heading, field }): Given => {
		return { field, value: columns[heading], isCell: true, isBroken: false };
	});
	const added = mapping.added.filter((one) => isSent(one) || one.isBroken).map(given);
	const others = mapping.isAutomatic ? cells : mapping.mapped.map(given);
	const isReplaced = ({ field }: Given) => added.some((one) => one.field === field);
	return [...others.filter((one) => !isReplaced(one)), ...added];
}
