import { type FilledIn, isSent } from '../read/mapping';
import type { Row } from '../read/row';
import type { SheetColumns } from './columns';

/** A value that a row gives to a field: of the mapper, of an additional field, or a cell as it came. */
type Given = Pick<FilledIn, 'field' | 'value' | 'type'> & { isCell?: boolean };

/** The values of a row, from whichever source; Additional Fields replace the others. Some are blank. */
export function givenBy({ mapping, columns }: Row, { sent }: SheetColumns): Given[] {
	if (!mapping) return [];
	const added = mapping.added.filter(isSent);
	const cells = sent.map(({ heading, field }) => ({
		field,
		value: columns[heading],
		isCell: true,
	}));
	const others: Given[] = mapping.isAutomatic ? cells : mapping.mapped;
	const isReplaced = ({ field }: Given) => added.some((one) => one.field === field);
	return [...others.filter((one) => !isReplaced(one)), ...added];
}
