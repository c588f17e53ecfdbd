import { eventTypes } from '../../nodes/LocalSeo/trigger/events';

/** All that the trigger reports. */
export const EVENTS = eventTypes.map(({ name }) => name);
