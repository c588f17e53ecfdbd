import type {
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
	ResourceMapperValue,
} from 'n8n-workflow';
import startCase from 'lodash/startCase';
import unionBy from 'lodash/unionBy';

import { isEmpty, type JsonObject } from '../client';
import type { Connected } from '../host/connect';
import { CREDENTIAL } from '../host/accounts';
import { fieldNames, someRecords, typeIn } from '../lookup';
import { NOT_IN_SHEETS, type Resource, resourceOf } from '../resources';
import { asLabel } from '../text/words';
import { withConnection } from './request';

/** Timeout of all requests together (ms): until they are done, the editor shows no fields. */
const MAX_LOADING = 15_000;

/**
 * The columns of the column mapper. They are read from some of the account's own records, whichever
 * location is picked: n8n would empty all that is mapped where they depended on it.
 *
 * n8n would show no columns beside an error, and no reason. If the account can't be asked (a rejected key,
 * a service that is down), they are those that the node has, or the assumed ones; the test of the
 * credential, the pickers and the execution report the reason. Without a credential, which a new node gets
 * only after n8n has asked, a notice says so in place of assumed columns.
 */
export async function getFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const resource = resourceOf(this.getCurrentNodeParameter('resource'));
	const mapping = (this.getCurrentNodeParameter('fields') ?? {}) as Partial<ResourceMapperValue>;
	const read = async (connection: Connected) => await someRecords(connection, resource);
	const records = await withConnection(this, read, MAX_LOADING).catch(() => undefined);
	if (records) return { fields: keepFilled(columnsFor(resource, records), mapping) };
	const { schema = [] } = mapping;
	if (schema.length > 0) return { fields: schema };
	const isAssumed = resource.fields.some((field) => field.isAssumed);
	const hasCredential = this.getNode().credentials?.[CREDENTIAL] !== undefined;
	if (isAssumed && !hasCredential) return { fields: [], emptyFieldsNotice: NO_CREDENTIAL };
	return { fields: columnsFor(resource, []) };
}

const NO_CREDENTIAL =
	'To fill in fields here, click Retry once a credential is chosen above: they are read from your account';

/**
 * The columns to offer: the fields of the account's own records with the types of their values, and
 * always the known fields of a location. Without records, the assumed fields are offered and labeled as
 * such. Fields that n8n would run as an expression are left out, and so are the location, which is in the
 * path, and the status: a post is posted whatever its status says.
 */
function columnsFor(resource: Resource, records: JsonObject[]): ResourceMapperField[] {
	const declared = new Map(resource.fields.map((field) => [field.id, field]));
	const names = fieldNames(resource, records).filter(
		(id) => !id.startsWith('=') && !NOT_IN_SHEETS.includes(id),
	);
	return names.map((id): ResourceMapperField => {
		const { name, type: usual, isAssumed } = declared.get(id) ?? {};
		const type = typeIn(records, id) ?? usual;
		const label = name ?? startCase(id).replace(/\b(Id|Url)\b/g, (word) => word.toUpperCase());
		return {
			id,
			displayName: asLabel(isAssumed && records.length === 0 ? `${label} (assumed)` : label),
			// Values of a column without a type are sent unchanged.
			type,
			display: true,
			required: false,
			defaultMatch: false,
			canBeUsedToMatch: false,
			// n8n fills in `false`, which nobody has chosen: whoever wants it adds the column.
			...(type === 'boolean' && { removed: true }),
		};
	});
}

/**
 * Keeps what the user has filled in: n8n drops the value of a column that is no longer offered, and
 * does not run a node with a fixed value that does not fit the type of its column. So a filled column
 * stays, and keeps its type.
 *
 * @param mapping the current one of the node
 */
function keepFilled(
	offered: ResourceMapperField[],
	{ value, schema = [] }: Partial<ResourceMapperValue>,
): ResourceMapperField[] {
	const filled = schema.filter(({ id }) => !isEmpty(value?.[id]));
	const kept = offered.map((column) => {
		const { type, options } = filled.find(({ id }) => id === column.id) ?? column;
		return { ...column, type, options };
	});
	return unionBy(kept, filled, 'id');
}
