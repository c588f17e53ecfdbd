import { IANAZone } from 'luxon';

import { hashOf, type JsonObject, type RowKey, type ServiceRequest } from '../../client';
import { isWrite, type Operation, type Resource, takes } from '../../resources';
import { InputError } from '../../text/inputError';
import type { Explained, Place } from '../item';
import { isByName } from './expressions';
import { type Mapping, readMapping } from './mapping';
import { readRowSettings, type RowSettings } from './parameters';
import { Problems } from './problems';
import { readRequest } from './request';
import { type Sheet, sheetOf } from './sheet';
import type { Source } from './source';

/** A row of n8n as one value, with everything that later steps ask for; they know no n8n. */
export interface Row extends Place, RowSettings {
	resource: Resource;
	operation: Operation;
	/** Without a body. A location that was given by its name stands there by its name. */
	request: ServiceRequest;
	/** True if its location is given by name. */
	isByName: boolean;
	/** Empty without a body. */
	mapping: Mapping;
	/** The row's own columns. */
	columns: JsonObject;
	/** The parameters as they stand in the panel, with their expressions. */
	panel: JsonObject;
	sheet: Sheet;
	/** The workflow's time zone. */
	zone: string;
	/** All that is wrong with the row, as far as it is read. */
	problems: Problems;
	/** True if a model waits for it. */
	isTool: boolean;
	/** Identifies it among all rows, also where n8n runs it again; undefined outside of executions. */
	key?: RowKey;
	/** The words for whatever failed. */
	explain(thrown: unknown): Explained;
}

const NO_MAPPING: Mapping = { isAutomatic: false, mapped: [], added: [] };

/**
 * A row of n8n as one value.
 *
 * @param isTool true if it is run as a tool: parallel calls share their run and their place in it
 * @throws InputError for a parameter that can't be used; what is wrong with the row is in its `problems`
 */
export function readRow(
	source: Source,
	resource: Resource,
	operation: Operation,
	isTool: boolean,
): Row {
	const { rows, index, item, hasErrorOutput, columns, panel, zone, explain } = source;
	const settings = readRowSettings(source, resource, operation, isTool);
	const problems = new Problems(isWrite(operation) ? 'This row was not sent' : '');
	const request = readRequest(source, resource, operation, settings, problems);
	const hasBody = takes('fields')(operation);
	if (hasBody || takes('output')(operation)) refuseUnknownZone(zone);
	const mapping = hasBody ? readMapping(source, problems) : NO_MAPPING;
	return {
		...{ rows, index, item, hasErrorOutput, columns, panel, zone, explain },
		...settings,
		...{ resource, operation, request, mapping, problems, isTool },
		isByName: isByName(source, 'locationId'),
		sheet: sheetOf(rows),
		key: keyOf(source, isTool ? hashOf([item, request, mapping, columns]) : undefined),
	};
}

/** @param call tells a call of a tool from others: each is a run of its own */
function keyOf({ execution, run, item }: Source, call?: string): RowKey | undefined {
	if (execution === undefined || run === undefined) return undefined;
	return call === undefined
		? { execution, run, row: item }
		: { execution, run: `${run} ${call}`, row: item, call };
}

/** @throws InputError for a time zone that no calendar knows */
function refuseUnknownZone(zone: string): void {
	// Luxon keeps a zone that it has created.
	if (IANAZone.create(zone).isValid) return;
	throw new InputError(
		`There is no time zone "${zone}"`,
		"Choose one of the list in the settings of the workflow, under 'Timezone'.",
	);
}
