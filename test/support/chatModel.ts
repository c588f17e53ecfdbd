import Fastify from 'fastify';

/** A request to the model, as much of it as the test reads. */
export interface Question {
	messages: Array<{ role: 'system' | 'user' | 'assistant' | 'tool' }>;
	tools: Array<{ function: { name: string } }>;
}

/** Starts a stand-in for a chat model with the interface of OpenAI's, which calls the tools that the test wants. */
export async function startChatModel(
	answer: (question: Question) => { tool: string; arguments: object },
): Promise<{ url: string; close(): Promise<void> }> {
	const server = Fastify();
	let calls = 0;
	server.post('/v1/chat/completions', async ({ body }) => {
		const { tool, arguments: given } = answer(body as Question);
		const call = { name: tool, arguments: JSON.stringify(given) };
		const tool_calls = [{ id: `call_${++calls}`, type: 'function', function: call }];
		const message = { role: 'assistant', content: null, tool_calls };
		return {
			...{ id: `answer_${calls}`, object: 'chat.completion', created: 0, model: 'stand-in' },
			choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
	const origin = await server.listen({ host: '127.0.0.1', port: 0 });
	return { url: `${origin}/v1`, close: async () => await server.close() };
}
