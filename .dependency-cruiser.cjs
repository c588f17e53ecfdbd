/** Rooms between the node files and `host`. */
const MIDDLE = '^nodes/LocalSeo/(resources|insights|lookup|panel|rows|editor|trigger)/';
const CLIENT = '^nodes/LocalSeo/client/';
/** Libraries that come with every n8n. */
const LIBRARIES = 'node_modules/(@types/)?(luxon|lodash)/';
const HOST = '^nodes/LocalSeo/host/';
const TEXT = '^nodes/LocalSeo/text/';
const NODE = '^nodes/LocalSeo/[^/]+[.]node[.]ts$';
const SHIPPED = '^(nodes|credentials)/';
const AROUND = '^(dev|examples|test)/';
const ACCOUNT = '^dev/sandbox/account/';
/** The kinds of tests, beside test/support. */
const KINDS = '^test/(unit|node|simulation|e2e|repo)/';

/** The arrows of docs/dev/architecture.md; types count as imports, too. */
module.exports = {
	forbidden: [
		{
			name: 'no-circle',
			comment: 'Each file has to be understandable by itself.',
			severity: 'error',
			from: {},
			to: { circular: true },
		},
		{
			name: 'client-knows-nothing-else',
			comment:
				'The client could be published by itself: it uses Node.js, and luxon and lodash for calendars and entities.',
			severity: 'error',
			from: { path: CLIENT },
			to: { pathNot: [CLIENT, LIBRARIES], dependencyTypesNot: ['core'] },
		},
		{
			name: 'client-has-one-entry-point',
			comment: 'Code outside the client imports client/index.ts only.',
			severity: 'error',
			from: { path: SHIPPED, pathNot: CLIENT },
			to: { path: CLIENT, pathNot: `${CLIENT}index[.]ts$` },
		},
		{
			name: 'pace-is-the-lowest-room',
			severity: 'error',
			from: { path: `${CLIENT}pace/` },
			to: { path: `${CLIENT}(http|list|same|create)/` },
		},
		{
			name: 'http-uses-no-lists',
			severity: 'error',
			from: { path: `${CLIENT}http/` },
			to: { path: `${CLIENT}(list|same|create)/` },
		},
		{
			name: 'lists-use-no-creates',
			severity: 'error',
			from: { path: `${CLIENT}list/` },
			to: { path: `${CLIENT}(same|create)/` },
		},
		{
			name: 'comparisons-ask-nobody',
			comment: 'Whether two records are the same is a question of their values alone.',
			severity: 'error',
			from: { path: `${CLIENT}same/` },
			to: { path: `${CLIENT}(pace|list|create)/` },
		},
		{
			name: 'text-uses-the-client-alone',
			comment: 'Words are the same wherever they are shown: they know no n8n.',
			severity: 'error',
			from: { path: TEXT },
			to: { path: [SHIPPED, 'n8n-workflow'], pathNot: [TEXT, CLIENT] },
		},
		{
			name: 'host-uses-text-and-the-client-alone',
			severity: 'error',
			from: { path: HOST },
			to: { path: SHIPPED, pathNot: [HOST, TEXT, CLIENT] },
		},
		{
			name: 'resources-are-declarations',
			comment: 'They ask nobody and make nothing of a response: lookup/ and insights/ do.',
			severity: 'error',
			from: { path: '^nodes/LocalSeo/resources/' },
			to: { path: '^nodes/LocalSeo/(host|insights|lookup|panel|rows|editor|trigger)/' },
		},
		{
			name: 'insights-and-lookup-are-below-their-users',
			severity: 'error',
			from: { path: '^nodes/LocalSeo/(insights|lookup)/' },
			to: {
				path: '^nodes/LocalSeo/(insights|lookup|panel|rows|editor|trigger)/',
				pathNot: '^nodes/LocalSeo/$1/',
			},
		},
		{
			name: 'panel-uses-no-room-above',
			severity: 'error',
			from: { path: '^nodes/LocalSeo/panel/' },
			to: { path: '^nodes/LocalSeo/(rows|editor|trigger)/' },
		},
		{
			name: 'rooms-side-by-side-do-not-use-each-other',
			severity: 'error',
			from: { path: '^nodes/LocalSeo/(rows|editor|trigger)/' },
			to: { path: '^nodes/LocalSeo/(rows|editor|trigger)/', pathNot: '^nodes/LocalSeo/$1/' },
		},
		{
			name: 'rooms-use-no-node',
			severity: 'error',
			from: { path: MIDDLE },
			to: { path: [NODE, '^credentials/'] },
		},
		{
			name: 'n8n-is-used-in-host',
			comment:
				"All rooms may use n8n's types; n8n's code is called in host/ and by the node files.",
			severity: 'error',
			from: { path: MIDDLE },
			to: { path: 'n8n-workflow', dependencyTypesNot: ['type-only'] },
		},
		{
			name: 'plans-know-no-n8n',
			comment: 'After it is read, a row is a plain value, and can be tested as one.',
			severity: 'error',
			from: {
				path: '^nodes/LocalSeo/rows/',
				pathNot: '^nodes/LocalSeo/rows/(run|way|read/source)[.]ts$',
			},
			to: { path: 'n8n-workflow' },
		},
		...['read', 'learn', 'plan', 'write'].map((room, at, rooms) => ({
			name: `the-way-of-a-row: ${room}`,
			comment: 'A row passes each room once: read, learned about, planned, written, reported.',
			severity: 'error',
			from: { path: `^nodes/LocalSeo/rows/${room}/` },
			to: {
				path: `^nodes/LocalSeo/rows/(run|way|get/|report/${rooms
					.slice(at + 1)
					.map((one) => `|${one}/`)
					.join('')})`,
			},
		})),
		{
			name: 'results-are-reported-last',
			severity: 'error',
			from: { path: '^nodes/LocalSeo/rows/(get|report)/' },
			to: { path: '^nodes/LocalSeo/rows/(run|way|plan/|write/)' },
		},
		{
			name: 'what-plans-does-not-wait',
			comment:
				'No request, no clock: what is read, planned and reported is tested by plain values.',
			severity: 'error',
			from: { path: '^nodes/LocalSeo/rows/(read|plan|report)/' },
			to: {
				path: [
					'^nodes/LocalSeo/host/(connect|accounts)',
					'^nodes/LocalSeo/rows/learn/(learn|reads|locations|questions)[.]ts$',
				],
			},
		},
		{
			name: 'nothing-else-ships',
			comment:
				'n8n provides n8n-workflow, luxon and lodash (docs/dev/n8n-facts.md, section 12); the package has no dependencies.',
			severity: 'error',
			from: { path: SHIPPED },
			to: { path: 'node_modules', pathNot: ['node_modules/n8n-workflow/', LIBRARIES] },
		},
		{
			name: 'packages-are-declared',
			comment: 'A package that only another one brings is gone with its next version.',
			severity: 'error',
			from: {},
			to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
		},
		{
			name: 'what-ships-needs-nothing-around-it',
			severity: 'error',
			from: { path: SHIPPED },
			to: { path: AROUND },
		},
		{
			name: 'sandbox-knows-no-node',
			comment: 'If the sandbox shared code with the node, both could be wrong in the same way.',
			severity: 'error',
			from: { path: '^dev/sandbox/' },
			to: { path: [SHIPPED, '^(dev|examples|test)/'], pathNot: '^dev/sandbox/' },
		},
		{
			name: 'account-is-pure',
			comment:
				'The service itself: requests come in and answers go out, at a socket or in a simulation.',
			severity: 'error',
			from: { path: ACCOUNT },
			to: { pathNot: ACCOUNT },
		},
		{
			name: 'n8n-is-below-its-users',
			comment: 'dev/n8n installs, starts and asks the real n8n, for whoever needs it.',
			severity: 'error',
			from: { path: '^dev/n8n/' },
			to: { path: ['^dev/(bench|demo|scripts)/', '^test/'] },
		},
		{
			name: 'demo-uses-no-tests',
			severity: 'error',
			from: { path: '^dev/demo/' },
			to: { path: ['^dev/(bench|scripts)/', '^test/'] },
		},
		{
			name: 'bench-and-scripts-are-side-by-side',
			severity: 'error',
			from: { path: '^dev/(bench|scripts)/' },
			to: { path: '^dev/(bench|scripts)/', pathNot: '^dev/$1/' },
		},
		{
			name: 'nobody-uses-a-test',
			comment: 'What two kinds of tests need is in test/support.',
			severity: 'error',
			from: { path: '^(dev|test)/' },
			to: { path: '[.]test[.]ts$' },
		},
		{
			name: 'kinds-of-tests-do-not-use-each-other',
			severity: 'error',
			from: { path: KINDS },
			to: { path: KINDS, pathNot: '^test/$1/' },
		},
		{
			name: 'support-is-below-the-tests',
			severity: 'error',
			from: { path: '^test/support/' },
			to: { path: KINDS },
		},
		{
			name: 'pure-tests-start-nothing',
			comment: 'test/unit has plain values, test/simulation a virtual clock: no socket, no n8n.',
			severity: 'error',
			from: { path: '^test/(unit|simulation)/' },
			to: { path: '^dev/', pathNot: ACCOUNT },
		},
		{
			name: 'scripts-are-tested-in-repo',
			severity: 'error',
			from: { path: '^test/', pathNot: '^test/repo/' },
			to: { path: '^dev/scripts/' },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		// What n8n leaves in the demo's folders, node packages of its own among it.
		exclude: { path: '^dev/demo/\\.' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.json' },
	},
};
