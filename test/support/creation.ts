import { Account as Service, type Answer, type Switches } from '../../dev/sandbox/account';
import {
	Account,
	type Connection,
	create,
	DEFAULT_PAGING,
	type HttpFault,
	type HttpRequest,
	type HttpResponse,
	type JsonObject,
	type Matching,
	readExisting,
	type ServiceRequest,
} from '../../nodes/LocalSeo/client';
import type { CreateHow } from '../../nodes/LocalSeo/client/create/create';
import { responseOf, transportTo } from './accountTransport';
import { VirtualClock } from './virtualClock';
import { seededRandom } from './random';

/** What is compared of a post, as Create content post does without options. */
export const MATCHING: Matching = { fields: ['title', 'content'], time: 'publish_at' };

/** How a record is created of whose list nothing is known, as with Create Another One. */
export const UNREAD: CreateHow = { paging: DEFAULT_PAGING, matching: MATCHING };

/** How a record is created once its list has been read, as with Skip the Row. */
export async function howAfterReading(
	connection: Connection,
	request: ServiceRequest,
): Promise<CreateHow> {
	const { before } = await readExisting(connection, request, DEFAULT_PAGING, MATCHING);
	return { ...UNREAD, before };
}

/** Reads the list, and creates a record that is not in it. */
export async function createNew(
	connection: Connection,
	request: ServiceRequest,
	more: Partial<CreateHow> = {},
): Promise<JsonObject> {
	const how = await howAfterReading(connection, request);
	const { record } = await create(connection, request, { ...how, ...more });
	return record;
}

/** The posts of the location `loc_1`. */
export const POSTS = {
	path: '/locations/{locationId}/posts',
	ids: { locationId: 'loc_1' },
	query: {},
	noun: 'content post',
};

/** The request that creates a post. */
export const postOf = (body: JsonObject) => ({ ...POSTS, method: 'POST' as const, body });

/**
 * A service with one location, in virtual time. What it answers goes through `answer` on its way back,
 * by the number of the request from 1.
 */
export function serviceOfPosts(
	answer: (
		response: HttpResponse,
		request: HttpRequest,
		count: number,
	) => HttpResponse | HttpFault = (response) => response,
	switches: Partial<Switches> = {},
) {
	const clock = new VirtualClock();
	const service = new Service(clock, { id: (number) => ({ id: `post_${number}` }), ...switches });
	service.add('locations', { id: 'loc_1' });
	const methods: string[] = [];
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 300_000,
		transport: transportTo((request) => {
			methods.push(request.method);
			const response = responseOf(service.handle(request));
			return answer(response, request, methods.length) as Answer | HttpFault;
		}, clock),
	};
	const run = async <T>(work: Promise<T>) => await clock.run(work);
	return { clock, connection, methods, service, posts: service.list('posts', 'loc_1'), run };
}
