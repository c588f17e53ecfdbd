import type { IDataObject } from 'n8n-workflow';

import type { EventName } from './watch';

/** What starts the workflow: one item each. */
export interface Event {
	event: EventName;
	/** What it is about, as the service gives it; of a removed keyword what was remembered of it. */
	record: IDataObject;
	/** Earlier values: of what changed, as far as they are short; of a scan the scan before it. */
	before: IDataObject | null;
	/** Names of the fields that are different. */
	changed: string[];
	/** The location that it belongs to, or is. */
	location: IDataObject;
	/** The keyword that a scan belongs to. */
	keyword?: IDataObject;
}
