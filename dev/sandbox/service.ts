import type { SampleAccount, Fields } from './sampleAccount';
import { Refusal, type ServiceResponse } from './response';
import type { Call } from './contract';
import type { Habits } from './habits';
import { pageOf } from './paging';
import type { Keyword, Location } from './records';

/** The eleven operations, by their operationId in openapi.yaml. */
export function serviceOf(
	account: SampleAccount,
	pageSize: number,
	habits: Pick<Habits, 'hidesDrafts'>,
): Record<string, (call: Call) => ServiceResponse> {
	const location = ({ params }: Call): Location =>
		account.location(params.locationId) ?? missing('location', params.locationId);
	const keyword = ({ params }: Call): Keyword =>
		account.keyword(params.keywordId) ?? missing('keyword', params.keywordId);
	const fields = ({ body }: Call) => body as Fields;
	const drafts = new WeakSet<object>();
	const page = (records: ReadonlyArray<object>, { query }: Call) =>
		pageOf(records, query, pageSize);

	return {
		'location.getAll': (call) => page(account.locations, call),
		'location.get': (call) => ok(location(call)),
		'location.create': (call) => created(account.addLocation(fields(call))),
		'location.update': (call) => ok(account.updateLocation(location(call), fields(call))),
		'keyword.getAll': (call) => page(account.keywordsOf(location(call).id), call),
		'keyword.create': (call) => created(account.addKeyword(location(call), fields(call))),
		'keyword.delete': (call) => {
			account.removeKeyword(keyword(call));
			return { status: 204 };
		},
		'rankScan.getAll': (call) => page(account.scansOf(keyword(call).id), call),
		'post.getAll': (call) => {
			account.publishDue();
			const posts = account.postsOf(location(call).id);
			return page(habits.hidesDrafts ? posts.filter((post) => !drafts.has(post)) : posts, call);
		},
		'post.create': (call) => {
			const { publish_at } = fields(call);
			if (publish_at && Number.isNaN(Date.parse(String(publish_at)))) {
				const text = 'The publish_at field is not a valid date.';
				throw new Refusal(422, text, { publish_at: [text] });
			}
			const post = account.addPost(location(call), fields(call));
			if (habits.hidesDrafts) drafts.add(post);
			return created(post);
		},
		// Its own habit: the interface shows no parameters for a period.
		'insight.get': (call) => {
			const [from, to] = [call.query.from, call.query.to].map(dayIn);
			const { id } = location(call);
			return ok(from || to ? account.insightBetween(id, from, to) : account.insightOf(id));
		},
	};
}

/** The day of a date or time; anything else is ignored, as other query parameters are. */
function dayIn(value: unknown): string | undefined {
	return /^\d{4}-\d\d-\d\d/.exec(String(value))?.[0];
}

function ok(data: object): ServiceResponse {
	return { status: 200, body: { data } };
}

function created(data: object): ServiceResponse {
	return { status: 201, body: { data } };
}

function missing(what: string, id: string): never {
	throw new Refusal(404, `There is no ${what} with the id ${id}.`);
}
