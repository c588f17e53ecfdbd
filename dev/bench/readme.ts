import { type Contender, HTTP_LIST, HTTP_POSTS, HTTP_POSTS_AGAIN } from './contenders';
import { markdownTable } from 'markdown-table';
import { median, type Result } from './table';

/** Where the README's table comes from: the title in the page of the bench, and what its cells say. */
interface Line {
	job: string;
	/** How the title of the scenario begins. */
	of: string;
	http: Contender;
	cell(measured: Measured): string;
	note?: string;
}

interface Measured {
	seconds: string;
	runs: number;
	lost: number;
	doubled: number;
}

const inRuns = (count: number, { runs }: Measured) =>
	count > 0 ? `${count} in ${runs} runs` : '0';
const twice = (measured: Measured) => inRuns(measured.doubled, measured);

const LINES: Line[] = [
	{
		job: 'List 10,000 locations',
		of: 'List 10,000',
		http: HTTP_LIST,
		cell: ({ seconds }) => `${seconds} s`,
	},
	{
		job: '400 posts at 20 requests per second',
		of: '400 posts',
		http: HTTP_POSTS,
		cell: (measured) =>
			measured.lost > 0 ? inRuns(measured.lost, measured) : `0, in ${measured.seconds} s`,
		note: 'without Batching: lost posts',
	},
	{
		job: '40 posts, 4 responses lost',
		of: '40 posts, of which',
		http: HTTP_POSTS_AGAIN,
		cell: twice,
		note: 'Retry On Fail on: posts that are there twice',
	},
	{
		job: 'A sheet of 40 rows, run twice',
		of: 'A sheet',
		http: HTTP_POSTS,
		cell: twice,
		note: 'posts that are there twice',
	},
];

/** GitHub's anchor of a heading. */
const anchorOf = (title: string) =>
	title
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');

function measuredOf({ measurements }: Result, contender: Contender): Measured {
	const all = measurements.get(contender)!;
	const sum = (name: 'lost' | 'doubled') => all.reduce((total, one) => total + one[name], 0);
	return {
		seconds: median(all.map(({ seconds }) => seconds)).toFixed(2),
		runs: all.length,
		lost: sum('lost'),
		doubled: sum('doubled'),
	};
}

/** The table of the README, from the results of all scenarios. */
export function readmeTable(results: Result[]): string {
	const rows = LINES.map(({ job, of, http, cell, note = '' }) => {
		const result = results.find(({ scenario }) => scenario.title.startsWith(of))!;
		const { title, contenders } = result.scenario;
		const link = `[${job}](docs/dev/measured/bench.md#${anchorOf(title)})${note && `, ${note}`}`;
		const [own] = contenders;
		return [link, cell(measuredOf(result, http)), cell(measuredOf(result, own))];
	});
	return markdownTable([['The job', 'HTTP Request', 'Local SEO'], ...rows], {
		alignDelimiters: false,
	});
}
