import type { Sandbox } from '../sandbox';
import { FORM_PATH } from './form';
import type { Home } from '../n8n/home';
import { loginOf } from '../n8n/login';
import type { Outcome } from './jobs';
import { CREDENTIAL } from './setup';

/** Problems of a job that are printed at most. */
const SHOWN = 5;

/** The outcome of each job in one line, followed by its problems, and a verdict. */
export function reportOf(outcomes: Outcome[]): string {
	const lines = outcomes.flatMap(({ name, summary, seconds, problems }) => [
		`  ${problems.length === 0 ? '✓' : '✗'} ${name.padEnd(23)}${summary} (${seconds.toFixed(1)} s)`,
		...problems.slice(0, SHOWN).map((problem) => `      ${problem}`),
		...(problems.length > SHOWN ? [`      … and ${problems.length - SHOWN} more`] : []),
	]);
	const failed = outcomes.filter(({ problems }) => problems.length > 0).length;
	const verdict =
		failed === 0
			? 'All checks passed: every post arrived exactly once.'
			: `${failed} of ${outcomes.length} jobs failed.`;
	return [...lines, '', verdict, ''].join('\n');
}

export function addressesOf(url: string, { origin, baseUrl, keys }: Sandbox, home: Home): string {
	const { email, password } = loginOf(home);
	return `  Upload form  ${url}${FORM_PATH}   start here: drop a sheet, get posts; it asks for the login of n8n
  n8n          ${url}/home/workflows   login ${email} / ${password}
  Sandbox      ${origin}   stands in for the service; posts appear here
  Base URL     ${baseUrl}
  API keys     ${keys.read}    read scope: get data
               ${keys.write}   write scope: also post, create, update and delete
               ${keys.admin}   admin scope: everything
               n8n has such a credential already: ${CREDENTIAL.name}
  Files        ${home.files}
  State        ${home.n8n}   delete it to start from nothing; a start restores the demo's own workflows, never yours`;
}
