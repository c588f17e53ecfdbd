import { Findings } from '../../nodes/LocalSeo/rows/plan/findings';
import { InputError } from '../../nodes/LocalSeo/text/inputError';

test('a problem stays on one line, alone or beside others, whatever a service said', async () => {
	const explain = (thrown: unknown) => thrown as InputError;
	const findings = new Findings({ problems: [], explain });
	const fail = async (message: string) =>
		await findings.check(async () => await Promise.reject(new InputError(message, 'Do\nthis.')));
	await fail('The service\nsaid no');
	expect(findings.problems.short).toBe('The service said no');
	expect(findings.problems.long).toBe('Do this.');
	await fail('And\tagain');
	expect(findings.problems.short).toBe('The service said no. And again.');
});
