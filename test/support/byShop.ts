import { exampleWith } from '../../dev/demo/setup';
import type { RealN8n } from './n8n';

/** An example with the location read by its name from the column Shop, as docs/recipes.md says. */
export function byShop({ credential }: Pick<RealN8n, 'credential'>, file: string) {
	const workflow = exampleWith(credential, file);
	for (const { name, parameters } of workflow.nodes as unknown as Array<{
		name: string;
		parameters: Record<string, unknown>;
	}>) {
		if (name !== 'Create the post' && name !== 'Look first') continue;
		parameters.locationId = { __rl: true, mode: 'name', value: '={{ $json.Shop }}' };
	}
	return workflow;
}
