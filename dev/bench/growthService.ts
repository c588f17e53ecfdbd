import { startSandbox } from '../sandbox';
import type { Service } from './growthJob';

/** The sandbox in a process of its own, so that its time and memory do not count; ends with its parent. */
async function serve(locations: number): Promise<void> {
	const { baseUrl, keys, account } = await startSandbox({ locations });
	const locationIds = account.locations.map(({ id }) => id);
	const service: Service = { baseUrl, apiKey: keys.write, locationIds };
	process.send?.(service);
	process.once('disconnect', () => process.exit());
}

void serve(Number(process.argv[2]));
