import {
	change,
	create,
	DEFAULT_PAGING,
	idOf,
	readCompleteList,
} from '../../../nodes/LocalSeo/client';
import { isDone, type Keyword } from './account';
import { MOST, requestOf, type Service } from './service';

const LIST = '/locations/{locationId}/keywords';

/** Adds a keyword to a location, looks for it, deletes it, and looks again. */
export async function tryKeyword(service: Service, id: string): Promise<Keyword> {
	const text = `local seo check ${new Date().toISOString()} please delete`;
	const list = async () => {
		const reading = readCompleteList(
			service.connection,
			requestOf('GET', LIST, id),
			DEFAULT_PAGING,
		);
		const records = await reading.catch(() => undefined);
		return records?.filter((one) => JSON.stringify(one).includes(text));
	};
	service.left += MOST.try;
	const before = await service.get(LIST, {}, id);
	if (!isDone(before)) return {};

	service.say(`Adding the keyword "${text}", which is deleted again …`);
	const request = { ...requestOf('POST', LIST, id), body: { keyword: text } };
	const how = { paging: DEFAULT_PAGING, matching: { fields: ['keyword'], isTerm: true } };
	const making = create(service.connection, request, how).then(({ record }) => record);
	const created = await service.answerTo('POST', making);
	const record = await making.catch(() => undefined);
	const mayBeThere = record !== undefined || service.failure?.mayHaveActed === true;
	const found = mayBeThere ? await list() : [];
	service.left += MOST.delete;
	const keywordId = idOf(found?.[0]) ?? idOf(record);
	const result = { created, isFound: found && found.length > 0 };
	if (keywordId === undefined) return mayBeThere ? { ...result, left: text } : result;

	const deletion = requestOf('DELETE', '/keywords/{keywordId}', keywordId);
	const deleted = await service.answerTo('DELETE', change(service.connection, deletion));
	const isGone = (await list())?.length === 0;
	return { ...result, deleted, isGone, left: isGone ? undefined : text };
}
