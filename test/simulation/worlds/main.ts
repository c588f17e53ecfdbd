import { Option } from 'commander';
import { type Flags, flagsOf, run } from './commandLine';
import { PLAIN, type Tier, TIERS, worlds } from './dimensions';
import { isAtOnce } from './judge';
import { play } from './run';

const flags = flagsOf('npx gulp worlds')
	.addOption(
		new Option('--tier <name>', 'what may happen in them')
			.choices(Object.keys(TIERS))
			.default('faults'),
	)
	.parse()
	.opts<Flags & { tier: Tier }>();
const { tier } = flags;

void run({
	flags,
	worlds: worlds.map(TIERS[tier]),
	plain: PLAIN,
	async play(world) {
		const verdict = await play(world);
		const { reports, service } = verdict;
		const wrong = [...verdict.wrong, ...(tier === 'ordinary' ? isAtOnce(verdict) : [])];
		const count = { done: 0, failed: 0, unconfirmed: 0, stopped: 0 };
		// Of what was stopped, nobody expects to know what became of it.
		const isStopped = world.life === 'stopped';
		for (const { said } of reports) count[isStopped && said === 'unconfirmed' ? 'stopped' : said]++;
		return { wrong, count, history: service.history };
	},
});
