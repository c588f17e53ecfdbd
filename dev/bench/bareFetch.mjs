// The yardstick: the requests of a job with Node's own fetch, in as few lines as possible.
// Reads the job as JSON from stdin, prints { seconds, items } as JSON.
import { json } from 'node:stream/consumers';

const { baseUrl, apiKey, rows, concurrency } = await json(process.stdin);

async function request(path, body) {
  const response = await fetch(`${baseUrl}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} returned status ${response.status}`);
  return await response.json();
}

/** Runs jobs concurrently, up to the given number, and returns their results in order. */
async function all(jobs) {
  const results = [];
  let next = 0;
  const work = async () => {
    while (next < jobs.length) {
      const index = next++;
      results[index] = await jobs[index]();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results;
}

async function list() {
  const { data, meta } = await request('/locations');
  const pages = Math.ceil(meta.total / meta.per_page);
  const others = Array.from({ length: pages - 1 }, (_, index) => index + 2);
  const responses = await all(others.map((page) => () => request(`/locations?page=${page}`)));
  return [...data, ...responses.flatMap((response) => response.data)];
}

async function post() {
  const responses = await all(
    rows.map(
      ({ location_id, ...body }) =>
        () =>
          request(`/locations/${location_id}/posts`, body),
    ),
  );
  return responses.map(({ data }) => data);
}

const startedAt = performance.now();
const records = rows ? await post() : await list();
const seconds = (performance.now() - startedAt) / 1000;
console.log(JSON.stringify({ seconds, items: records.map(({ id }) => ({ id })) }));
