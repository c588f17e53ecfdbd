import { insight } from './insight';
import { keyword } from './keyword';
import { location } from './location';
import { post } from './post';
import { rankScan } from './rankScan';
import type { Operation, Resource } from './resource';

export { insight, keyword, location, post, rankScan };
export * from './resource';

/** The resources of the service: the dropdowns of the panel, runs and schemas are made from this list. */
export const resources: Resource[] = [location, keyword, rankScan, post, insight];

/** @param value of the parameter Resource */
export function resourceOf(value: unknown): Resource {
	return resources.find((resource) => resource.value === value) as Resource;
}

/** @param value of the parameter Operation */
export function operationOf(resource: Resource, value: unknown): Operation {
	return resource.operations.find((operation) => operation.value === value) as Operation;
}
