/** What is asked of the account for others: the directory of its locations, some records of a resource. */
export { Directory, readDirectory } from './directory';
export { someRecords } from './someRecords';
