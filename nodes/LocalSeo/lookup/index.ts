/** Reads of the account that other rooms share: the directory of its locations, some records of a resource. */
export { fieldNames } from './fieldNames';
export { Directory, nameIn, readDirectory } from './directory';
export { someRecords } from './someRecords';
