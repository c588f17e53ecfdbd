import {
	change,
	create,
	DEFAULT_PAGING,
	idOf,
	isRecord,
	readRecords,
} from '../../nodes/LocalSeo/client';
import { dataOf, type Evidence, isDone, type Keyword, totalOf } from './account';
import { MOST, requestOf, type Service } from './service';

const LIST = '/locations/{locationId}/keywords';
/** A location with more keywords would take too many requests. */
const MOST_KEYWORDS = 100;

/** Adds a keyword to a location, looks for it, deletes it, and looks again. */
export async function tryKeyword(service: Service, id: string, seen: Evidence): Promise<Keyword> {
	const text = `local seo check ${new Date().toISOString()} please delete`;
	const paging = { ...DEFAULT_PAGING };
	if (seen.page !== undefined) paging.pageParameter = seen.page;
	const list = async () => {
		const reading = readRecords(service.connection, requestOf('GET', LIST, id), paging);
		const records = await reading.catch(() => undefined);
		return records?.filter((one) => JSON.stringify(one).includes(text));
	};
	const counts: unknown[] = [];
	const count = async () => {
		const location = dataOf(await service.get('/locations/{locationId}', {}, id));
		counts.push(isRecord(location) ? location.keywords_count : undefined);
	};
	service.left += MOST.try;
	const before = await service.get(LIST, {}, id);
	if (!isDone(before) || totalOf(before) > MOST_KEYWORDS) return { counts };
	await count();

	service.say(`Adding the keyword "${text}", which is deleted again …`);
	const request = { ...requestOf('POST', LIST, id), body: { keyword: text } };
	const making = create(service.connection, request, paging);
	const created = await service.answerTo('POST', making);
	const { record } = await making.catch(() => ({ record: undefined }));
	const mayBeThere = record !== undefined || service.failure?.mayHaveActed === true;
	const found = mayBeThere ? await list() : [];
	service.left += MOST.delete;
	const keywordId = idOf(found?.[0]) ?? idOf(record);
	const result = { created, counts, isFound: found && found.length > 0 };
	if (keywordId === undefined) return mayBeThere ? { ...result, left: text } : result;

	await count();
	const deletion = requestOf('DELETE', '/keywords/{keywordId}', keywordId);
	const deleted = await service.answerTo('DELETE', change(service.connection, deletion));
	const isGone = (await list())?.length === 0;
	await count();
	return { ...result, deleted, isGone, left: isGone ? undefined : text };
}
