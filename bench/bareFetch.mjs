// The yardstick: the requests of a job with Node's own fetch, as few lines as a programmer needs.
// Takes the job as JSON from its input, prints { seconds, ids } as JSON.
import { json } from 'node:stream/consumers';

const { baseUrl, apiKey, rows, sideBySide } = await json(process.stdin);

async function ask(path, body) {
  const response = await fetch(`${baseUrl}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  return await response.json();
}

/** Runs jobs side by side, at most as many as this node does, and gives their results in order. */
async function all(jobs) {
  const results = [];
  let next = 0;
  const work = async () => {
    while (next < jobs.length) {
      const index = next++;
      results[index] = await jobs[index]();
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  return results;
}

async function list() {
  const { data, meta } = await ask('/locations');
  const pages = Math.ceil(meta.total / meta.per_page);
  const others = Array.from({ length: pages - 1 }, (_, index) => index + 2);
  const answers = await all(others.map((page) => () => ask(`/locations?page=${page}`)));
  return [...data, ...answers.flatMap((answer) => answer.data)];
}

async function post() {
  const answers = await all(
    rows.map(
      ({ location_id, ...body }) =>
        () =>
          ask(`/locations/${location_id}/posts`, body),
    ),
  );
  return answers.map(({ data }) => data);
}

const startedAt = performance.now();
const records = rows ? await post() : await list();
const seconds = (performance.now() - startedAt) / 1000;
console.log(JSON.stringify({ seconds, ids: records.map(({ id }) => id) }));
