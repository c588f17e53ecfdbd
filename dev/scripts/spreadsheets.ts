import { stringify } from 'csv-stringify/sync';
import { DateTime } from 'luxon';
import { COLUMNS, type PostRow, posts } from '../../examples/posts';

/** How people write a time, by the clocks of the workflow's time zone, which is UTC in the demo. */
const SPELLINGS: Array<(at: DateTime, isDay: boolean) => string> = [
	(at, isDay) => (isDay ? at.toISODate()! : at.toISO({ suppressMilliseconds: true })!),
	(at, isDay) => at.toFormat(isDay ? 'dd.MM.yyyy' : 'dd.MM.yyyy HH:mm'),
	(at, isDay) => at.toFormat(isDay ? 'yyyy-MM-dd' : 'yyyy-MM-dd H:mm'),
	(at, isDay) => at.toFormat(isDay ? 'MMM d, yyyy' : 'MMM d, yyyy h:mm a'),
];

const timeOf = ({ publish_at }: PostRow) => DateTime.fromISO(publish_at, { zone: 'utc' });
const isDay = ({ publish_at }: PostRow) => publish_at.length === 'yyyy-MM-dd'.length;

/** A row as someone has typed it: four people, four habits. */
function asTyped(post: PostRow, index: number): PostRow {
	if (post.publish_at === '') return post;
	const write = SPELLINGS[index % SPELLINGS.length];
	return { ...post, publish_at: write(timeOf(post), isDay(post)) };
}

/** A cell as Excel keeps it: a time as a number, whatever its format shows. */
function cellOf(post: PostRow, column: keyof PostRow) {
	if (post[column] === '') return null;
	if (column !== 'publish_at') return { value: post[column], type: String };
	const format = isDay(post) ? 'dd.mm.yyyy' : 'dd.mm.yyyy hh:mm';
	return { value: timeOf(post).toJSDate(), type: Date, format };
}

/** The CSV file; Excel reads it as UTF-8 only if it begins with a byte order mark. */
export const postsCsv = (): string =>
	stringify(posts.map(asTyped), { header: true, columns: [...COLUMNS], bom: true });

/** Writes the same rows as a workbook, whose bytes differ each time: they hold the time of writing. */
export async function writeWorkbook(file: string): Promise<void> {
	const { default: writeXlsxFile } = await import('write-excel-file/node');
	const header = COLUMNS.map((column) => ({ value: column, fontWeight: 'bold' as const }));
	const cells = posts.map((post) => COLUMNS.map((column) => cellOf(post, column)));
	await writeXlsxFile([header, ...cells], {
		sheet: 'Posts',
		columns: COLUMNS.map((column) => ({ width: column === 'content' ? 80 : 28 })),
	}).toFile(file);
}
