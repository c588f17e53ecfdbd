import { flagsOf, run } from '../commandLine';
import { PLAIN, worlds } from './dimensions';
import { play } from './run';

Error.stackTraceLimit = 0;

void run({
	flags: flagsOf('npx gulp worlds:trigger').parse().opts(),
	worlds,
	plain: PLAIN,
	async play(world) {
		const { wrong, count, service } = await play(world);
		const [{ at: began } = { at: 0 }] = service.history;
		const history = service.history.map(({ at, what }) => ({ at: at - began, what }));
		return { wrong, count, history };
	},
});
