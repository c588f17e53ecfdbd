/**
 * What a user should know of a row's result:
 *
 * - `late`: what it has created was to happen at a time that is over
 * - `partly-compared`: not all records that exist could be compared with it
 * - `first-page`: the service shows no other page than the first
 */
export type Note = 'late' | 'partly-compared' | 'first-page';
