import { untilEnded } from '../../harness/execution';
import { Rejection, type Rest } from '../../harness/rest';

/** n8n's answers to one question after the other: what it has, or what it throws. */
function answering(...answers: Array<object | Error>): Rest {
	const get = jest.fn(async () => {
		const answer = answers.shift();
		if (answer instanceof Error) throw answer;
		return answer;
	});
	return { get } as unknown as Rest;
}

const noData = new Rejection('n8n rejected GET /executions/2 (500)', 500);

test('an execution of which n8n has no data yet is waited for', async () => {
	await untilEnded(answering(noData, { status: 'running' }, { status: 'success' }), '2');
});

test('any other refusal of n8n is shown at once', async () => {
	const gone = new Rejection('n8n rejected GET /executions/2 (404)', 404);
	await expect(untilEnded(answering(gone), '2')).rejects.toBe(gone);
});

test('an execution that failed says why', async () => {
	const data = JSON.stringify([{ resultData: '1' }, { error: '2' }, { message: '3' }, 'No sheet']);
	await expect(untilEnded(answering({ status: 'error', data }), '2')).rejects.toThrow('No sheet');
});
