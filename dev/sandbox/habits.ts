import type { Answer } from './account';

/** What ordinary services do where the interface is silent; each can be switched on. */
export interface Habits {
	/** A create is accepted (202) with an ID, and without the record. */
	answers202: boolean;
	/** A create is answered without a body. */
	withoutBody: boolean;
	/** The list of content posts leaves out those that are created from now on: they have yet to be approved. */
	hidesDrafts: boolean;
}

export const NO_HABITS: Habits = { answers202: false, withoutBody: false, hidesDrafts: false };

/** A response of the service as one with these habits gives it. */
export function habitual({ answers202, withoutBody }: Habits, response: Answer): Answer {
	if (response.status !== 201) return response;
	const { data } = response.body as { data: { id: string } };
	const body = answers202 ? { data: { id: data.id, status: 'queued' } } : response.body;
	const status = answers202 ? 202 : 201;
	return { ...response, status, body: withoutBody ? undefined : body };
}
