export { Account } from './account';
export { COUNTS, Counter, type Limit } from './counter';
export type { Answer, Call, Fields, Kind, Request } from './exchange';
export { metaOf, type Page, pageOf, type PageSwitches } from './paging';
export { opaqueId, PREFIX, type Switches } from './switches';
export { Workers } from './workers';
