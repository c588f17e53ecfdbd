import type { Sandbox } from '../sandbox';
import { usageOf } from '../sandbox/usage';
import { FORM_PATH } from './form';
import type { Home } from '../n8n/home';
import { loginOf } from '../n8n/login';
import type { Outcome } from './jobs';
import { CREDENTIAL } from './setup';

const SHOWN = 5;

function problemsOf({ problems }: Outcome): string[] {
	const more = problems.length > SHOWN ? [`… and ${problems.length - SHOWN} more`] : [];
	return [...problems.slice(0, SHOWN), ...more].map((line) => `      ${line}`);
}

/** The outcome of each job in one line, followed by its problems. */
export function reportOf(outcomes: Outcome[]): string {
	const width = Math.max(...outcomes.map(({ name }) => name.length));
	return outcomes
		.flatMap((outcome) => {
			const sign = outcome.problems.length === 0 ? '✓' : '✗';
			const time = `(${outcome.seconds.toFixed(1)} s)`;
			const line = `  ${sign} ${outcome.name.padEnd(width)}  ${outcome.summary} ${time}`;
			return [line, ...problemsOf(outcome)];
		})
		.join('\n');
}

export function verdictOf(outcomes: Outcome[]): string {
	const failed = outcomes.filter(({ problems }) => problems.length > 0).length;
	if (failed === 0) return 'All checks passed: every post arrived exactly once.';
	return `${failed} of ${outcomes.length} jobs failed.`;
}

export function addressesOf(url: string, sandbox: Sandbox, home: Home): string {
	const { email, password } = loginOf(home);
	return [
		`  Upload form  ${url}${FORM_PATH}   start here: drop a sheet, get posts; it asks for the login of n8n`,
		`  n8n          ${url}/home/workflows   login ${email} / ${password}`,
		`  Sandbox      ${sandbox.origin}   stands in for the service; posts appear here`,
		...usageOf(sandbox).map((line) => `  ${line}`),
		`               n8n has such a credential already: ${CREDENTIAL.name}`,
		`  Files        ${home.files}`,
		`  State        ${home.n8n}   delete it to start from nothing; a start restores the demo's own workflows, never yours`,
	].join('\n');
}
