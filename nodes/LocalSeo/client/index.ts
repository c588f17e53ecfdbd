/**
 * A client of the Local SEO service, with four rooms: `http` (one request and its response), `pace`
 * (how many, how fast), `list`, and `create` (each record once). It reaches network, time
 * and randomness only through the ports, and knows nothing about the program that uses it.
 */
export { Account, type Connection } from './account';
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
} from './http/address';
export { faultOf } from './http/faults';
export { hashOf } from './http/hashOf';
export { endsWithId, fillPath, idNames, nounOfId } from './http/path';
export { createdAt, deniesSuccess, idOf, isIdentified, isRecord } from './http/records';
export { textWithoutKey, withoutKey } from './http/redact';
export { fieldsOf, listOf, type ServiceRequest } from './http/request';
export { send, unexpectedResponse } from './http/send';
export { isNoAnswer } from './http/rules';
export { readServiceMessage, type ServiceMessage } from './http/serviceMessage';
export { instantOf, isDate, timeOf } from './http/time';
export { MAX_IN_FLIGHT } from './pace/gradient';
export type { Hindrance, Urgency } from './pace/governor';
export { Collection } from './list/collection';
export { DEFAULT_PAGING, type Page, type Paging, readPage } from './list/page';
export { type List, readList, readRecords } from './list/readList';
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
export { areOtherDates } from './same/compare';
export { type Match, matchKeyOf, RecordIndex } from './same/recordIndex';
export { isEmpty, keyTextOf, MAX_COMPARED, plainText, spaced, withoutAccents } from './same/text';
export { withinTime } from './withinTime';
export { change } from './create/change';
export { create, createUnlessMade } from './create/create';
export type { RowKey } from './create/entry';
export { madeBefore } from './create/ledger';
export { readExisting } from './create/readExisting';
