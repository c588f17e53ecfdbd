import { isEmpty, type JsonObject } from '../client';
import type { NamedLocation } from '../resources';
import { InputError } from '../text/inputError';
import { asValue } from '../text/words';
import { eachColumn, isObject, type SourceList, type Lists } from './lists';

export const SPLIT_OUT = "set 'Output' to Raw, and put n8n's Split Out after this node.";

/** A list in messages. */
export const listName = (path: string[]): string => asValue(path.join('.') || 'data');

/** A text, number or switch that stands in an entry around a list, or in an object on the way to the list. */
interface Label {
	/** The path of the list that has this entry, or of the object. */
	path: string[];
	name: string;
	value: unknown;
}

/** The labels of a list, from the outside. */
function labelsOf({ around }: SourceList): Label[] {
	if (!around) return [];
	const { value: members, entryOf: path, outer } = around;
	const values = Object.entries(path ? members : {}).filter(([, value]) => !isObject(value));
	const outerLabels = labelsOf({ source: members, around: outer });
	return [...outerLabels, ...values.map(([name, value]) => ({ path: path!, name, value }))];
}

const keyOf = ({ path, name }: Label): string => JSON.stringify([...path, name]);

type Columns = Array<[name: string, value: unknown]>;

/** The columns of the labels of lists of one path. */
export class Labels {
	private readonly lists = new Map<SourceList, { columns: Columns; identity: number }>();
	/** The lists that have rows, by their date and labels. */
	private readonly shown = new Map<string, SourceList>();

	constructor(private readonly all: Lists) {
		const labels = new Map<SourceList, Label[]>();
		for (const { list } of all.entries) if (!labels.has(list)) labels.set(list, labelsOf(list));
		const names = this.namesOf([...labels.values()].flat());
		// A number, since texts around a list of days may be long.
		const identities = new Map<string, number>();
		for (const [list, ofList] of labels) {
			const columns = ofList.map((label): Columns[0] => [names.get(keyOf(label))!, label.value]);
			const text = JSON.stringify(columns);
			if (!identities.has(text)) identities.set(text, identities.size);
			this.lists.set(list, { columns, identity: identities.get(text)! });
		}
	}

	/** A label is called as it is, or by its path where something within its entry has that name, too. */
	private namesOf(labels: Label[]): Map<string, string> {
		const names = new Map<string, string>();
		const distinct = new Map(labels.map((label) => [keyOf(label), label]));
		if (distinct.size === 0) return names;
		const taken = new Set(['date', 'list']);
		for (const { value } of this.all.entries) {
			for (const name of isObject(value) ? Object.keys(value) : []) taken.add(name);
		}
		const fromInside = [...distinct].sort(([, a], [, b]) => b.path.length - a.path.length);
		for (const [key, { path, name }] of fromInside) {
			const whole = [...(path.length > 0 ? path : ['data']), name].join('_');
			names.set(key, taken.has(name) ? whole : name);
			taken.add(name);
		}
		return names;
	}

	/**
	 * The columns of a row with this date.
	 *
	 * @throws InputError if another list has the same date and labels
	 */
	of(list: SourceList, date: string): Columns {
		const { columns, identity } = this.lists.get(list)!;
		const key = `${date} ${identity}`;
		if ((this.shown.get(key) ?? list) !== list) throw sameLabels(this.all.path, date);
		this.shown.set(key, list);
		return columns;
	}
}

/** Assigned, a member that is called `__proto__` would be lost. */
const PLAIN = { enumerable: true, writable: true, configurable: true };

/** A row that begins with the location; what a response says of `location_id` and `location_name` is left out. */
export class TableRow {
	readonly json: JsonObject;

	/**
	 * @param source the list of the row, in messages
	 * @param keys other keys of the location that the rows of its response have
	 */
	constructor(
		private readonly location: NamedLocation,
		private readonly source: string,
		private readonly keys: Set<string>,
	) {
		this.json = { location_id: location.id, location_name: location.name };
	}

	/**
	 * @returns the name of the column
	 * @throws InputError for a column that is there, and for the ID of another location
	 */
	add(name: string, value: unknown): string {
		const { json, source } = this;
		if (name === 'location_id' && !isEmpty(value)) this.addKey(String(value));
		if (name === 'location_id' || name === 'location_name') return name;
		// JavaScript puts names that are a number before all others, the location's too.
		const column = /^\d+$/.test(name) ? `n_${name}` : name;
		if (Object.hasOwn(json, column)) throw sameColumn(column, source);
		if (column in json) Object.defineProperty(json, column, { value, ...PLAIN });
		else json[column] = value;
		return column;
	}

	/** One other key may be that of a database; two are of two locations. */
	private addKey(key: string): void {
		const { keys, location } = this;
		if (key === location.id) return;
		if (key.startsWith('loc_') || keys.add(key).size > 1) throw otherLocation(key, location.id);
	}

	/** @param json gets the names of columns that hold a list */
	addAll(entry: unknown, datePath: string[] | undefined, json: Set<string>): void {
		const isDaily = 'date' in this.json;
		eachColumn(entry, datePath, (name, value, isJson) => {
			const isTaken = isDaily && ['date', 'list'].includes(name);
			const column = this.add(isTaken ? `entry_${name}` : name, value);
			if (isJson) json.add(column);
		});
	}

	/** True if it has nothing but the location. */
	get isEmpty(): boolean {
		return Object.keys(this.json).length === 2;
	}
}

function sameLabels(path: string[], date: string): InputError {
	return new InputError(
		`Several lists ${listName(path)} have the date ${date}, and nothing directly around them tells them apart`,
		`To read them by their place, ${SPLIT_OUT}`,
	);
}

function sameColumn(name: string, source: string): InputError {
	return new InputError(
		`Two columns of ${source} would be called ${asValue(name)}`,
		"Columns are called by their path, so a member a_b has the same name as b within a. Set 'Output' to Raw, and name the columns with n8n's Edit Fields.",
	);
}

function otherLocation(value: string, id: string): InputError {
	return new InputError(
		`These insights of ${id} are of another location: location_id is ${asValue(value)}`,
		"If this is another ID of the same location, set 'Output' to Raw.",
	);
}
