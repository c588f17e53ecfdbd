// A program that knows nothing of n8n uses the client, with fetch as its transport. It is given the
// folder of the compiled client, a base URL and a key; it prints what it came to, as JSON.
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';

const [folder, baseUrl, apiKey] = process.argv.slice(2);
const client = createRequire(import.meta.url)(join(folder, 'index.js'));
const root = client.apiRoot(baseUrl);

/** Query parameters of which a list is sent as the name repeated. */
function search(query) {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)]),
  );
  return new URLSearchParams(parameters).toString();
}

async function fetchTransport({ method, path, query, headers, body, timeoutMs }, signal) {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(`${client.addressWithin(root, path)}?${search(query)}`, {
      method,
      headers: { ...headers, Authorization: `Bearer ${apiKey}` },
      body,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await response.text();
    const { status } = response;
    const received = { status, headers: Object.fromEntries(response.headers), body: parsed(text) };
    return client.withoutKey(received, apiKey);
  } catch (error) {
    const cause = error.cause ?? error;
    return { fault: client.faultOf(cause), cause };
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The client's own clock keeps no process awake, and this one has nothing else to wait for. */
const clock = {
  now: Date.now,
  sleep: async (milliseconds, signal) => await setTimeout(milliseconds, undefined, { signal }),
};
const connection = {
  account: new client.Account(clock, Math.random),
  transport: fetchTransport,
  patienceMs: 30_000,
};
const paging = client.DEFAULT_PAGING;
const request = { method: 'GET', path: '/locations', ids: {}, query: {}, noun: 'location' };

const locations = await client.readCompleteList(connection, request, paging);
const newPost = {
  method: 'POST',
  path: '/locations/{locationId}/posts',
  ids: { locationId: locations[0].id },
  query: {},
  body: { title: 'From a plain script', content: 'Without n8n' },
  noun: 'content post',
};
const matching = { fields: ['title', 'content'] };
const { before } = await client.readExisting(connection, newPost, paging, matching);
const { record: post } = await client.create(connection, newPost, { paging, matching, before });
const missing = { ...request, path: '/locations/{locationId}', ids: { locationId: 'loc_none' } };
const { kind, facts } = await client.send(connection, missing).catch((error) => error);
console.log(
  JSON.stringify({ ids: locations.map(({ id }) => id), post, kind, status: facts.status }),
);
