import { type Account, BoundedMap, fieldsOf, isEmpty, jsonBytes, ServiceError } from '../client';
import { PerAccount } from './accounts';

/** Of "title: …", which is how a message about a field is given (client/http/serviceMessage). */
const ABOUT_FIELD = /^(?:body\.)?([\w-]+): (.+)$/;
/** Of "title is required", "The title field is required", "title can't be blank". */
const NAMES_FIELD =
	/^(?:the )?["'`]?([\w-]+)["'`]?(?: field| parameter)? (?:is|can|must|may|should)/i;
const SAYS_REQUIRED =
	/^(required|missing)\b|\b(is|field) (required|missing)\b|\b(can(no|['’])t|must not|may not|should not) be (blank|empty|null)\b/i;
/** "is required when status is scheduled": not in every record. */
const HAS_CONDITION = /\b(if|when|where|unless|with|without|for|or)\b/i;

/** A field that the service has refused a create without. */
interface Required {
	name: string;
	/** Whether its name was taken from a sentence, which may be about something else: "payment is required". */
	isGuess: boolean;
}

/** By the noun of the resource. */
const required = new PerAccount(
	({ clock }) =>
		new BoundedMap<Required[]>({ maxBytes: 64 * 1024, forgetAfterMs: 3_600_000 }, clock),
);

/** Remembers which missing fields the service named when it refused a create. */
export function noteRequired(account: Account, thrown: unknown): void {
	if (!(thrown instanceof ServiceError)) return;
	const { kind, request, status = 0, said } = thrown.facts;
	if (kind !== 'rejected' || request.method !== 'POST' || ![400, 422].includes(status)) return;
	const sent = fieldsOf(request);
	const texts = [...(said?.fields ?? []), ...(said?.text?.split(/(?<=\.)\s/) ?? [])];
	const missing = texts
		.map(requiredField)
		.filter((field) => field !== undefined)
		.filter(({ name }) => isEmpty(sent[name]));
	if (missing.length === 0) return;
	const known = required.of(account).get(request.noun) ?? [];
	const isOther = ({ name, isGuess }: Required) =>
		!missing.some((one) => one.name === name && one.isGuess === isGuess);
	const all = [...known.filter(isOther), ...missing];
	required.of(account).set(request.noun, all, jsonBytes(all));
}

/**
 * Names of the fields that the service has refused creates without.
 *
 * @param noun of the resource
 * @param fields names of fields that there are: "Title can't be blank" is said of `title`
 */
export function requiredFields(account: Account, noun: string, fields: string[]): Set<string> {
	const known = required.of(account).get(noun) ?? [];
	const spelled = known.flatMap(({ name, isGuess }) => {
		const field = fields.find((one) => one.toLowerCase() === name.toLowerCase());
		return field ?? (isGuess ? [] : name);
	});
	return new Set(spelled);
}

/** The field that a text of the service calls required in any case. */
function requiredField(text: string): Required | undefined {
	const [, field, rest] = ABOUT_FIELD.exec(text) ?? [];
	const message = rest ?? text;
	if (!SAYS_REQUIRED.test(message) || HAS_CONDITION.test(message)) return undefined;
	if (field !== undefined) return { name: field, isGuess: false };
	const name = NAMES_FIELD.exec(message)?.[1];
	return name === undefined ? undefined : { name, isGuess: true };
}
