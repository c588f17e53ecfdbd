import { isEmpty, textOf } from '../../client';
import { isUpsert, isWrite, type Operation, type Resource, takes } from '../../resources';
import { InputError } from '../../text/inputError';
import { isSwitchedOn, namesIn } from '../../text/parameterValues';
import { asValue } from '../../text/words';
import { isBlank } from './cells';
import type { Source } from './source';
import type { DateOrder } from './time';

/** The choice for a row whose record exists already. */
type IfExists = 'create' | 'skip' | 'update';
/** When the posts of a run go live: `scheduled` and `now` refuse a row without and with a time; '': not chosen. */
type WhenToPublish = '' | 'scheduled' | 'now';

/** A field that the user adds by hand. */
interface AddedField {
	name?: string;
	type?: string;
	value?: unknown;
}

/** The `options` collection as n8n provides it; every option may be absent. */
export interface Options {
	acceptIncomplete?: unknown;
	additionalFields?: { fields?: AddedField[] };
	dateOrder?: unknown;
	dates?: unknown;
	excludeColumns?: unknown;
	ignoreExtraColumns?: unknown;
	includeInputFields?: unknown;
	matchFields?: unknown;
	/** Seconds. */
	maxWait?: unknown;
	period?: unknown;
	publishTimeField?: unknown;
	queryParameters?: { parameters?: Array<{ name?: string; value?: unknown }> };
}

/** The parameters that say how the rows of an operation are processed. */
export interface RowSettings {
	isDryRun: boolean;
	/** True if something is read of all locations of the account. */
	isOfAll: boolean;
	/** The most records to get; absent: all. */
	limit?: number;
	ifExists: IfExists;
	/** The fields that the user has chosen to identify a record; none: the usual ones. */
	matchFields: string[];
	whenToPublish?: WhenToPublish;
	/** The field with the time to publish; absent: the resource has none. */
	publishTime?: string;
	/** True if the user has named it, and so vouches for it. */
	isPublishTimeChosen: boolean;
	dateOrder: DateOrder;
	excluded: string[];
	ignoresExtraColumns: boolean;
	/** True to take a list that is not complete as it came. */
	acceptsIncomplete: boolean;
	includesInput: boolean;
	/** The longest that a request may wait in total (ms). */
	patienceMs: number;
	/** The form of a table, where there are several. */
	output: string;
	/** The options Period and Dates, as they were given. */
	period: unknown;
	dates: unknown;
}

/** Settings that hold for a whole run, and are read from its first row; an expression could say otherwise for each. */
export const OF_RUN = [
	'ifExists',
	'matchFields',
	'publishTime',
	'isPublishTimeChosen',
	'dateOrder',
	'excluded',
	'ignoresExtraColumns',
	'acceptsIncomplete',
] as const satisfies Array<keyof RowSettings>;

/** Seconds; MCP clients give up after 60. */
const MAX_WAIT = { row: 300, tool: 30 };

/**
 * Reads the parameters.
 *
 * @throws InputError for one that can't be used
 */
export function readRowSettings(
	source: Source,
	resource: Resource,
	operation: Operation,
	isTool: boolean,
): RowSettings {
	const options = source.parameter('options', {}) as Options;
	const { publishTimeField, maxWait } = options;
	const isPublishTimeChosen = !isBlank(publishTimeField);
	const isOn = (label: string, name: keyof Options) =>
		name in options && isSwitchedOn(label, options[name]);
	const wait = isEmpty(maxWait) ? NaN : Number(maxWait);
	return {
		// An expression that comes out empty must not post.
		isDryRun:
			isWrite(operation) && !/^\s*false\s*$/i.test(textOf(source.parameter('dryRun', false))),
		isOfAll:
			takes('allLocations')(operation) &&
			isSwitchedOn('All Locations', source.parameter('allLocations', false)),
		limit: limitOf(source, operation),
		ifExists: ifExistsOf(source, operation),
		matchFields: namesIn(options.matchFields),
		whenToPublish: takes('whenToPublish')(operation) ? whenToPublishOf(source) : undefined,
		publishTime: isPublishTimeChosen ? String(publishTimeField).trim() : resource.publishTime,
		isPublishTimeChosen,
		dateOrder: dateOrderOf(options.dateOrder),
		excluded: namesIn(options.excludeColumns),
		ignoresExtraColumns: isOn('Ignore Extra Columns', 'ignoreExtraColumns'),
		acceptsIncomplete: isOn('Accept Incomplete Lists', 'acceptIncomplete'),
		includesInput: isOn('Include Input Fields', 'includeInputFields'),
		patienceMs: 1000 * (wait >= 0 ? wait : MAX_WAIT[isTool ? 'tool' : 'row']),
		output: source.parameter('output', '') as string,
		period: options.period,
		dates: options.dates,
	};
}

/** Only the value that says so creates without looking. */
function ifExistsOf(source: Source, operation: Operation): IfExists {
	if (isUpsert(operation)) return 'update';
	return source.parameter('ifExists', 'skip') === 'create' ? 'create' : 'skip';
}

function whenToPublishOf(source: Source): WhenToPublish {
	const value = source.parameter('whenToPublish', '');
	return value === 'now' || value === 'scheduled' ? value : '';
}

/** @throws InputError for what is no order */
function dateOrderOf(value: unknown): DateOrder {
	if (isEmpty(value)) return 'ask';
	if (value === 'ask' || value === 'day' || value === 'month') return value;
	throw new InputError(
		"'Date Order' must be ask, day or month",
		`The current value is ${asValue(value)}.`,
	);
}

/** @throws InputError for what is no limit */
function limitOf(source: Source, operation: Operation): number | undefined {
	if (!takes('limit')(operation)) return undefined;
	if (isSwitchedOn('Return All', source.parameter('returnAll', false))) return undefined;
	const limit = source.parameter('limit', 50);
	if (Number.isInteger(Number(limit)) && Number(limit) >= 1) return Number(limit);
	throw new InputError(
		"'Limit' must be a whole number of 1 or more",
		`The current value is ${asValue(limit)}.`,
	);
}
