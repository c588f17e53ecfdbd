import { type Home, prepareHome } from '../n8n/home';
import { type Host, installHost, startHost } from '../n8n/host';
import { loginOf } from '../n8n/login';
import { installPackage } from '../n8n/nodePackage';
import { requireFree } from '../n8n/port';
import type { Program } from '../n8n/program';
import { logIn, type Rest } from '../n8n/rest';
import type { Named } from '../n8n/workflow';
import { type Sandbox, startSandbox } from '../sandbox';
import { putCredential, putFormLogin, putWorkflows, type Workflows } from './setup';

export interface Ports {
	port: number;
	sandboxPort: number;
}

/** A sandbox, and the pinned n8n with this node and the example workflows. */
export interface Stage {
	home: Home;
	host: Host;
	rest: Rest;
	workflows: Workflows;
	sandbox: Sandbox;
	credential: Named;
}

/** @param settings more of n8n's environment */
export async function openStage(
	program: Program,
	{ port, sandboxPort }: Ports,
	state: string,
	settings: Record<string, string>,
): Promise<Stage> {
	await requireFree(port, 'n8n', '--port');
	await requireFree(sandboxPort, 'the sandbox', '--sandbox-port');
	await installHost();
	const home = prepareHome(state);
	console.log('Building the node, packing it and installing the package into n8n …');
	const installed = await installPackage(home);
	console.log(`Starting the sandbox and n8n with ${installed} …`);
	const sandbox = await startSandbox({ port: sandboxPort });
	program.atEnd(sandbox.close);
	const host = await startHost(home, port, settings);
	program.atEnd(host.stop);
	const rest = await logIn(host.url, home);
	const { baseUrl, keys } = sandbox;
	const credential = await putCredential(rest, { baseUrl, apiKey: keys.write });
	const formLogin = await putFormLogin(rest, loginOf(home));
	const workflows = await putWorkflows(rest, credential, formLogin);
	return { home, host, rest, workflows, sandbox, credential };
}
