/** Reads of the account that other rooms share: the directory of its locations, some records and their fields. */
export { fieldNames } from './fieldNames';
export { type FieldTypeName, typeIn, typeOf } from './fieldTypes';
export { Directory, nameIn, readDirectory } from './directory';
export { someRecords } from './someRecords';
