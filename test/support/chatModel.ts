import Fastify from 'fastify';

interface Message {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content: unknown;
}

interface Tool {
	function: { name: string; description: string; parameters: { properties?: object } };
}

/** What an agent asks its model. */
export interface Question {
	messages: Message[];
	tools: Tool[];
}

/** What the model says: a text, or a tool to be called. */
export type Reply = { text: string } | { tool: string; arguments: object };

export interface ChatModel {
	/** The base URL for a credential of OpenAI. */
	url: string;
	questions: Question[];
	close(): Promise<void>;
}

/** A stand-in for a chat model with the interface of OpenAI's, which replies what the test wants. */
export async function startChatModel(answer: (question: Question) => Reply): Promise<ChatModel> {
	const server = Fastify();
	const questions: Question[] = [];
	server.post('/v1/chat/completions', async (request) => {
		const { messages, tools = [] } = request.body as Question;
		questions.push({ messages, tools });
		const reply = answer({ messages, tools });
		const message =
			'text' in reply
				? { role: 'assistant', content: reply.text }
				: {
						role: 'assistant',
						content: null,
						tool_calls: [
							{
								id: `call_${questions.length}`,
								type: 'function',
								function: { name: reply.tool, arguments: JSON.stringify(reply.arguments) },
							},
						],
					};
		return {
			id: `answer_${questions.length}`,
			object: 'chat.completion',
			created: 0,
			model: 'stand-in',
			choices: [{ index: 0, message, finish_reason: 'text' in reply ? 'stop' : 'tool_calls' }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
	const origin = await server.listen({ host: '127.0.0.1', port: 0 });
	return { url: `${origin}/v1`, questions, close: async () => await server.close() };
}
