/*
 * Prints as JSON what the n8n in use does not have, in words for the README:
 *
 *     node --require ./test/support/typescript.cjs test/support/differences.ts
 */
import { PollContext } from 'n8n-core';

import './engine';
import { has } from './hostFeatures';

const toldBudget = String(PollContext).includes('getPollBudgetMs');

const differences = [
	!toldBudget && 'n8n does not say how long a poll may take: five minutes are assumed',
	!has.failure && 'n8n does not learn why a poll failed, so it does not slow down by itself',
].filter((one) => one !== false);

console.log(JSON.stringify(differences));
process.exit(0);
