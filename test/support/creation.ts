import { Account as Service, type Answer } from '../../dev/sandbox/account';
import {
	type Connection,
	create,
	DEFAULT_PAGING,
	type HttpRequest,
	fieldsOf,
	type HttpResponse,
	type JsonObject,
	keysOf,
	type Matching,
	readExisting,
	soughtBy,
	type ServiceRequest,
} from '../../nodes/LocalSeo/client';
import { connectionTo, responseOf, transportTo } from './accountTransport';
import { VirtualClock } from './virtualClock';

/** What is compared of a post, as Create content post does without options. */
export const MATCHING: Matching = { fields: ['title', 'content'], time: 'publish_at' };

/** By what the record of a row is recognized. */
export const soughtOf = (fields: JsonObject, matching = MATCHING) =>
	soughtBy(fields, matching, keysOf(fields, matching));

/** Reads the list, and creates a record that is not in it, as with Skip the Row. */
export async function createNew(connection: Connection, request: ServiceRequest) {
	const { before } = await readExisting(connection, request, DEFAULT_PAGING);
	const sought = soughtOf(fieldsOf(request));
	const how = { paging: DEFAULT_PAGING, sought, before, row: 0 };
	return (await create(connection, request, how)).record;
}

/** The posts of the location `loc_1`. */
export const POSTS = {
	path: '/locations/{locationId}/posts',
	ids: { locationId: 'loc_1' },
	query: {},
	noun: 'content post',
};

/** A service with one location, in virtual time; `answer` changes what it answers. */
export function serviceOfPosts(
	answer: (response: HttpResponse, request: HttpRequest) => HttpResponse,
) {
	const clock = new VirtualClock();
	const service = new Service(clock, { id: (number) => ({ id: `post_${number}` }) });
	service.add('locations', { id: 'loc_1' });
	const methods: string[] = [];
	const transport = transportTo((request) => {
		methods.push(request.method);
		return answer(responseOf(service.handle(request)), request) as Answer;
	}, clock);
	const connection = connectionTo(transport, clock);
	const run = async <T>(work: Promise<T>) => await clock.run(work);
	return { connection, methods, run };
}
