import { eventTypes } from '../../nodes/LocalSeo/trigger/events';

export const EVENTS = eventTypes.map(({ name }) => name);
