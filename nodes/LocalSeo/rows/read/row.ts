import {
	DEFAULT_PAGING,
	hashOf,
	type JsonObject,
	type Paging,
	type RowKey,
	type ServiceRequest,
} from '../../client';
import { isSwitchedOn, namesIn } from '../../host/requestSettings';
import { isWrite, type Operation, type Resource } from '../../resources';
import type { Explained, Place, Problem } from '../item';
import { readBody } from './body';
import { type Mapping, mappingOf, NO_BODY, refuseOtherLocation } from './mapping';
import {
	type IfExists,
	ifExistsOf,
	isByName as isNamed,
	isDryRun as isDryRunSet,
	isOfAllLocations,
	type Options,
	readPaging,
	readPatience,
} from './parameters';
import { type NotingProblem, readRequest } from './request';
import { type Sheet, sheetOf } from './sheet';
import type { Source } from './source';

/** A row of n8n as one value, with everything that later steps ask for; they know no n8n. */
export interface Row extends Place {
	resource: Resource;
	operation: Operation;
	/** A location that was given by its name stands there by its name (`addressed`). */
	request: ServiceRequest;
	isByName: boolean;
	/** Whether something is read of all locations of the account. */
	isOfAll: boolean;
	mapping: Mapping;
	paging: Paging;
	/** The longest that a request may wait in total (ms). */
	patienceMs: number;
	ifExists: IfExists;
	/** The fields that the user has chosen to identify a record; none: the usual ones. */
	matchFields: string[];
	isDryRun: boolean;
	/** True to take a list that is not complete as it came. */
	acceptsIncomplete: boolean;
	/** True if a model waits for it. */
	isTool: boolean;
	includesInput: boolean;
	isSimplified: boolean;
	/** The form of a table, where there are several. */
	output: string;
	/** The option Period, as it was given. */
	period: unknown;
	/** The row's own columns. */
	columns: JsonObject;
	sheet: Sheet;
	/** The workflow's time zone. */
	zone: string;
	/** The problems that a dry run has found while reading it; otherwise the first one is thrown. */
	problems: Problem[];
	/** The run of the node; undefined outside of executions. */
	run?: string;
	/** Identifies it among all rows, also where n8n runs it again; undefined outside of executions. */
	key?: RowKey;
	/** The words for whatever failed. */
	explain(thrown: unknown): Explained;
}

/** Methods with a body. */
const WITH_BODY = ['POST', 'PATCH'];

/**
 * A row of n8n as one value. In a dry run, what is wrong with it is among its `problems`; else that is
 * thrown.
 *
 * @param isTool whether it is run as a tool: parallel calls share their run and their place in it
 * @throws InputError for a parameter that can't be used, or a row that can't be sent
 */
export function readRow(
	source: Source,
	resource: Resource,
	operation: Operation,
	isTool: boolean,
): Row {
	const options = source.parameter('options', {}) as Options;
	const isDryRun = isWrite(operation) && isDryRunSet(options);
	const problems: Problem[] = [];
	const notingProblem: NotingProblem = isDryRun ? noting(problems, source) : (read) => read();
	const isOfAll = isOfAllLocations(source, operation);
	const sheet = sheetOf(source.rows);
	const isByName = isNamed(source, 'locationId');
	const common = { options, isByName, isOfAll, notingProblem };
	const request = readRequest(source, resource, operation, common);
	const hasBody = WITH_BODY.includes(request.method);
	const mapping = hasBody
		? mappingOf(source, { resource, operation }, { sheet, ids: request.ids, ...common })
		: undefined;
	if (mapping) {
		const given = {
			...{ ...source, resource, operation, mapping, options, sheet },
			...{ notingProblem, problems },
		};
		notingProblem(() => refuseOtherLocation(source, mapping, { sheet, ids: request.ids, options }));
		request.body = notingProblem(() => readBody(given));
	}
	const { rows, index, item, hasErrorOutput, columns, zone, run, explain } = source;
	return {
		...{ rows, index, item, hasErrorOutput, columns, zone, run, explain },
		...{ resource, operation, request, sheet, isByName, isOfAll, isDryRun, problems },
		mapping: mapping ?? NO_BODY,
		paging: notingProblem(() => readPaging(source, operation, options)) ?? DEFAULT_PAGING,
		patienceMs: readPatience(options),
		ifExists: ifExistsOf(source, operation),
		matchFields: namesIn(options.matchFields),
		acceptsIncomplete: isSwitchedOn('Accept Incomplete Lists', options.acceptIncomplete),
		isTool,
		includesInput: isSwitchedOn('Include Input Fields', options.includeInputFields),
		isSimplified:
			resource.leadingFields !== undefined &&
			!isWrite(operation) &&
			isSwitchedOn('Simplify', options.simplify),
		output: source.parameter('output', '') as string,
		period: options.period,
		key: run === undefined ? undefined : { run, row: isTool ? hashOf([item, request]) : item },
	};
}

function noting(problems: Problem[], { explain }: Source): NotingProblem {
	return (read, field) => {
		try {
			return read();
		} catch (thrown) {
			const { message, description } = explain(thrown);
			problems.push({ message, description, field });
			return undefined;
		}
	};
}
