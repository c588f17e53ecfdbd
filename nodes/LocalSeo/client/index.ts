/**
 * A client of the Local SEO service, with four rooms: `exchange` (one request and its response),
 * `governor` (how many, how fast), `lists`, and `writes` (each create once). It reaches network, time
 * and randomness only through the ports, and knows nothing about the program that uses it.
 */
export { Account, type Connection, type Waits } from './account';
export { BoundedMap, getOrMake, jsonBytes } from './boundedMap';
export { concurrently } from './concurrently';
export { type ErrorFacts, type ErrorKind, ServiceError } from './errors';
export {
	addressWithin,
	AddressError,
	type AddressFlaw,
	apiRoot,
	assertPrivate,
	isPlainHttp,
} from './exchange/address';
export { faultOf } from './exchange/faults';
export { hashOf } from './exchange/hashOf';
export { endsWithId, fillPath, idNames, nounOfId } from './exchange/path';
export { createdAt, idOf, isIdentified, isRecord, recordsIn } from './exchange/records';
export { textWithoutKey, withoutKey } from './exchange/redact';
export { fieldsOf, listOf, type ServiceRequest } from './exchange/request';
export { send, unexpectedResponse } from './exchange/send';
export type { ServiceMessage } from './exchange/serviceMessage';
export { instantOf, timeOf } from './exchange/time';
export { MAX_IN_FLIGHT } from './governor/capacity';
export type { Hindrance, Urgency } from './governor/governor';
export { Collection } from './lists/collection';
export { DEFAULT_PAGING, type Page, type Paging, readPage } from './lists/page';
export { readRecords } from './lists/readRecords';
export { Stopwatch } from './stopwatch';
export type {
	Clock,
	FaultKind,
	HttpFault,
	HttpRequest,
	HttpResponse,
	JsonObject,
	Method,
	Random,
	Transport,
} from './ports';
export { readOnly } from './readOnly';
export { systemClock } from './systemClock';
export {
	isEmpty,
	lettersIn,
	linksIn,
	MAX_COMPARED,
	plainText,
	spaced,
	textsIn,
	withoutAccents,
} from './texts';
export { withinTime } from './withinTime';
export { change } from './writes/change';
export { create, type RowKey } from './writes/create';
export { isDate, keyTextOf, type Likeness, likenessOf } from './writes/likeness';
export { readExisting } from './writes/readExisting';
