/**
 * A client of the Local SEO service, in six rooms: `http` (one request and its response), `pace` (how
 * many, how fast), `list`, `same` (comparing records), `dates` and `create` (each record once). It
 * reaches network, time and randomness only through the ports, and knows nothing about the program that
 * uses it.
 */
export { Account, type Connection, readOnly } from './account';
export { BoundedMap, getOrMake, jsonBytes } from './boundedMap';
export { change } from './create/change';
export { create } from './create/create';
export { madeBefore, oncePerRow, readExisting, type RowKey } from './create/ledger';
export { instantIn, isoDay, isoIn, type Moment, momentIn, utcOf } from './dates/calendar';
export { type DateColumn, type DateContext, isTimeName, readDates } from './dates/column';
export { type DateChoice, datesAmong } from './dates/day';
export { isMonthName, monthNamed, weekdaysNamed } from './dates/names';
export { datesNearby } from './dates/nearby';
export { createdAt, instantOf, isDate, timeOf } from './dates/ofService';
export { dateOfParts, instantOfNumber, readStamp } from './dates/stamp';
export { type DateFlaw, ordersIn, readDate, settledBy, type Written } from './dates/written';
export { faultOf } from './http/faults';
export {
	AddressError,
	type AddressFlaw,
	addressWithin,
	apiRoot,
	assertPrivate,
	isPlainHttp,
	textWithoutKey,
	withoutKey,
} from './http/key';
export { hashOf, idOf, isEnvelope, isIdentified, isRecord } from './http/records';
export { send, unexpectedResponse } from './http/send';
export { DEFAULT_PAGING, isListFor, type Page, type Paging, readPage } from './list/page';
export { type List, readCompleteList, readList } from './list/readList';
export { areNumeric, isNumeric, withNumbers } from './numbers';
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
	type ErrorFacts,
	fieldsOf,
	fillPath,
	idNames,
	nounOfId,
	requestForList,
	ServiceError,
	type ServiceRequest,
} from './request';
export { areOtherDates, RecordIndex } from './same/compare';
export {
	isEmpty,
	keyTextOf,
	matchKeyOf,
	MAX_COMPARED,
	plainText,
	spaced,
	withoutAccents,
} from './same/text';
export { textOf, UNSEEN } from './textOf';
export { concurrently, systemClock, Turns, withinTime } from './time';
