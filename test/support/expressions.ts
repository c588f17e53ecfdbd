/*
 * Evaluates many parameters both ways, by n8n and by the node's `rowParameters`, and prints as JSON what
 * differs. A program of its own, since a process has one of n8n's expression engines:
 *
 *     node --require ./test/support/typescript.cjs test/support/expressions.ts legacy|quickjs|vm
 */
import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import { Expression } from 'n8n-workflow';

import { rowParameters } from '../../nodes/LocalSeo/rows/customOperations';
import { contextOf } from './engine';
import { evaluator } from './hostFeatures';

/** What an expression reads as it is, or n8n has to evaluate: names, types and errors of every kind. */
const READS = [
	'title',
	'count',
	'zero',
	'flag',
	'nothing',
	'empty',
	'missing',
	'big',
	'list',
	'nested',
	'nested.city',
	'nested.missing',
	'nested.city.length',
	'missing.city',
	'list.length',
	'date',
	'date.c',
	'made',
	'made.ts',
	'made.year',
	'title.length',
	'text',
	'toString',
	'constructor',
	'__proto__',
	'length',
	'first',
	'item',
	'class',
	'ünter',
];
const QUOTED = ['title', 'City Name', 'Preis (EUR)', 'a.b', 'ünter'];
const QUOTES = ['"', "'", '`'];
const ROOTS = ['$json', '$input.item.json', "$('Rows').item.json", '$("Rows").item.json'];
const OTHERS = [
	'=',
	'={{ }}',
	'={{ $json }}',
	'={{ $json.title',
	'= {{ $json.title }}',
	'={{ $json.title }} ',
	'={{$json.title}}',
	'={{  $json.title\n}}',
	'={{ $json.title; }}',
	'={{ ($json.title) }}',
	'=Hello {{ $json.title }}',
	'={{ $json.title }}{{ $json.count }}',
	'={{ $json?.title }}',
	'={{ $json.count + 1 }}',
	'={{ $json.title.toUpperCase() }}',
	'={{ $json.title.toTitleCase() }}',
	'={{ $json.list.first() }}',
	'={{ $json.list[0] }}',
	'={{ $json.title = "changed" }}',
	'={{ $json.nested.city = "changed" }}',
	'={{ $json["ti" + "tle"] }}',
	"={{ $('Nobody').item.json.title }}",
	"={{ $('Rows').first().json.title }}",
	'={{ $now.year }}',
	'={{ DateTime.fromISO("2026-01-02") }}',
	'={{ new Date(0) }}',
	'={{ [1, "a"] }}',
	'={{ $itemIndex }}',
	'={{ $runIndex }}',
	'={{ $nope.title }}',
	'={{ $fromAI("title") }}',
	'={{ $parameter["&title"] }}',
	'={{ (() => { throw new Error("no") })() }}',
	'={{ undefined }}',
	'={{ null }}',
	'={{ $json.title.constructor }}',
	'plain',
	'7',
];
const all = [
	...ROOTS.flatMap((root) => READS.map((name) => `={{ ${root}.${name} }}`)),
	...ROOTS.flatMap((root) =>
		QUOTED.flatMap((name) => QUOTES.map((quote) => `={{ ${root}[${quote}${name}${quote}] }}`)),
	),
	...OTHERS,
];

// No -0: as JSON, and so as it is sent, that is 0.
const row = {
	title: 'Open',
	count: 3,
	zero: 0,
	flag: false,
	nothing: null,
	empty: '',
	big: 1e300,
	list: ['b', 'a'],
	nested: { city: 'Ulm', x: [1] },
	date: new Date(86_400_000),
	made: DateTime.fromMillis(0),
	text: 'Straße 🏠 \ud800 \u2028 {{ $json.title }}',
	toString: 'text',
	length: 9,
	first: 'one',
	constructor: 'c',
	item: 'i',
	class: 'A',
	ünter: 'ü',
	'City Name': 'Ulm',
	'Preis (EUR)': 9.5,
	'a.b': 'ab',
};
/** Another row has other values in the same columns, and some columns less. */
const rows = () => [
	structuredClone({ ...row, made: undefined }),
	{ ...row },
	{ title: new Date(0), count: 'three', nested: null, list: 'b', ünter: ['ü'] },
	{ title: 'Last', nested: { city: { name: 'Ulm' } } },
];

const mapped = (expressions: string[]) => ({
	mappingMode: 'defineBelow',
	value: Object.fromEntries(expressions.map((text, index) => [`field ${index}`, text])),
	schema: [{ id: 'field 0', type: 'number', displayName: 'First' }],
});

/** Where a parameter stands does not matter to n8n's engine: one of them tries all places. */
const ENGINE = process.argv[2];
const isThorough = ENGINE === 'legacy';
const BESIDE = isThorough ? 400 : 80;

/** Each expression by itself, in every kind of parameter, and expressions beside each other. */
function* parameters(): Generator<INodeParameters> {
	for (const text of all) {
		if (isThorough) yield { locationId: { __rl: true, mode: 'id', value: text }, limit: text };
		yield { jsonBody: text };
	}
	const plain = ROOTS.flatMap((root) =>
		['title', 'count', 'flag', 'nothing', 'missing'].map((name) => `={{ ${root}.${name} }}`),
	);
	const some = fc.oneof(fc.constantFrom(...plain), fc.constantFrom(...all));
	const several = fc.array(some, { minLength: 2, maxLength: 5 });
	for (const texts of fc.sample(several, { numRuns: BESIDE, seed: 20_261_122 })) {
		const [first, ...others] = texts;
		yield {
			fields: mapped(texts),
			options: { maxWait: first, additionalFields: { fields: others.map((value) => ({ value })) } },
		} as unknown as INodeParameters;
	}
}

interface Outcome {
	value?: unknown;
	failure?: unknown;
}

function outcomeOf(read: () => unknown): Outcome {
	try {
		return { value: read() };
	} catch (error) {
		const { name, message, cause, description, context } = error as Error & Record<string, unknown>;
		return { failure: { name, message, cause, description, context } };
	}
}

/** How many expressions n8n has evaluated. */
let evaluated = 0;
const evaluate = evaluator.resolveSimpleParameterValue;
evaluator.resolveSimpleParameterValue = function (...args) {
	if (typeof args[0] === 'string' && args[0].startsWith('=')) evaluated++;
	return evaluate.apply(this, args);
};

function compare() {
	const differences: object[] = [];
	let compared = 0;
	const evaluations = { byHost: 0, byNode: 0 };
	const counted = (by: keyof typeof evaluations, read: () => unknown) => {
		evaluated = 0;
		const outcome = outcomeOf(read);
		evaluations[by] += evaluated;
		return outcome;
	};
	for (const some of parameters()) {
		const options = {
			parameters: { resource: 'post', operation: 'create', dataToSend: 'fields', ...some },
			credential: { baseUrl: '', apiKey: '' },
		};
		// Each with rows of its own: in the legacy engine, expressions may change them.
		const host = contextOf({ ...options, rows: rows() });
		const parametersOf = rowParameters(contextOf({ ...options, rows: rows() }));
		for (const row of rows().keys()) {
			const read = parametersOf(row);
			for (const name of Object.keys(some)) {
				const id = { extractValue: true };
				const byHost = counted('byHost', () => host.getNodeParameter(name, row, undefined, id));
				const byNode = counted('byNode', () => read(name, undefined, id));
				compared++;
				if (isDeepStrictEqual(byHost, byNode)) continue;
				differences.push({ name, parameter: some[name], row, byHost, byNode });
			}
		}
	}
	return { compared, differences, evaluations };
}

/** As n8n starts it, but with one isolate for all. */
async function start(engine: string) {
	// Earlier versions have one engine, and nothing to choose.
	await Expression.initExpressionEngine?.({
		engine: engine as 'legacy',
		bridgeTimeout: 5_000,
		bridgeMemoryLimit: 128,
		maxCodeCacheSize: 1_024,
		poolSize: 1,
		sharedCaller: true,
	});
}

void start(ENGINE)
	.then(compare)
	.then((result) => {
		const show = (_name: string, value: unknown) =>
			typeof value === 'bigint' ? `${value}n` : value;
		console.log(JSON.stringify(result, show));
		process.exit(0);
	});
