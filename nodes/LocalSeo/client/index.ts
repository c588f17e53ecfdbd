/**
 * A client of the Local SEO service, in five rooms: `http` (one request and its response), `pace` (how
 * many, how fast), `list`, `same` (comparing records) and `create` (each record once). It reaches
 * network, time and randomness only through the ports, and knows nothing about the program that uses it.
 */
export { Account } from './account';
export { type Connection, readOnly, withOwnSignal } from './connection';
export { readExisting } from './create/before';
export { change } from './create/change';
export { create, type Created, justCreated } from './create/create';
export { lookAt, READING_TAKES } from './create/look';
export { type Before, type Entry, identityOf, type RowKey, type RunMemory } from './create/memory';
export { type ErrorFacts, ServiceError } from './errors';
export { AddressError, type AddressFlaw, addressWithin, apiRoot } from './http/address';
export { faultOf } from './http/faults';
export { textWithoutKey, withoutKey } from './http/key';
export { fillPath } from './http/path';
export { hashOf, idOf, isIdentified, isRecord } from './http/records';
export { send } from './http/send';
export { DEFAULT_PAGING, type Paging, readPage } from './list/page';
export { readData } from './list/readData';
export { type List, readCompleteList, readList } from './list/readList';
export { MAX_IN_FLIGHT } from './pace/concurrency';
export type {
	Clock,
	HttpFault,
	HttpRequest,
	HttpResponse,
	JsonObject,
	Method,
	Random,
	Transport,
} from './ports';
export { endsWithId, idNames, nounOfId, requestForList, type ServiceRequest } from './request';
export {
	type CompareAs,
	folded,
	hasOffset,
	instantOfIso,
	isAheadOf,
	isEmpty,
	isSurelyAhead,
	isTimeShown,
	keyOf,
	type Matching,
	mayBeAt,
} from './same/key';
export { type Keys, keysOf, nameOf, SameRecords, type Sought, soughtBy } from './same/sameRecords';
export { textOf, UNSEEN } from './textOf';
export { concurrently, systemClock, withinTime } from './time';
