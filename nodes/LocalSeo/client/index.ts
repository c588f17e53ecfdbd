/**
 * A client of the Local SEO service, in five rooms: `http` (one request and its response), `pace` (how
 * many, how fast), `list`, `same` (comparing records) and `create` (each record once). It reaches
 * network, time and randomness only through the ports, and knows nothing about the program that uses it.
 */
export { Account, type Connection, readOnly, withOwnSignal } from './account';
export { BoundedMap, getOrMake, jsonBytes } from './boundedMap';
export { change } from './create/change';
export { create, type Created, type CreateHow } from './create/create';
export type { RowKey } from './create/entry';
export {
	createdBy,
	doneBy,
	doubtOf,
	duringRun,
	isRepeated,
	lookAt,
	noteReader,
	noteWarning,
	withoutDeleted,
} from './create/memory';
export { READING_TAKES } from './create/readings';
export { type Before, newOnes, readExisting } from './create/versions';
export { type ErrorFacts, ServiceError } from './errors';
export {
	AddressError,
	type AddressFlaw,
	addressWithin,
	apiRoot,
	assertPrivate,
	isPlainHttp,
} from './http/address';
export { faultOf } from './http/faults';
export { textWithoutKey, withoutKey } from './http/key';
export { fillPath } from './http/path';
export { hashOf, idOf, isIdentified, isRecord } from './http/records';
export { send } from './http/send';
export { DEFAULT_PAGING, type Paging, readPage } from './list/page';
export { readData } from './list/readData';
export { type List, readCompleteList, readList } from './list/readList';
export { Governor } from './pace/governor';
export { MAX_IN_FLIGHT } from './pace/gradient';
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
export {
	endsWithId,
	fieldsOf,
	idNames,
	nounOfId,
	requestForList,
	type ServiceRequest,
} from './request';
export {
	folded,
	instantOfIso,
	hasOffset,
	mayBeAt,
	isAheadOf,
	isSurelyAhead,
	isEmpty,
	keyOf,
	looseKeyOf,
	type Matching,
	matchKeyOf,
} from './same/key';
export { hasKeys, KeyIndex, type Keys, shortKeyOf } from './same/keyIndex';
export { comparedKeys, LOOSE, type Relation, relationOf } from './same/relation';
export { textOf, UNSEEN } from './textOf';
export { concurrently, systemClock, Turns, withinTime } from './time';
