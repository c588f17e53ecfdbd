// `node dev/scripts/architecture.mjs`: draws the rooms of the node from the code's own imports into
// docs/dev/architecture.md. With `--check` it only reports whether the picture there is up to date.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const page = join(root, 'docs', 'dev', 'architecture.md');
const ROOMS = '^nodes/LocalSeo/[^/]+(?=/)|^credentials';
const PICTURE = /(<!-- rooms -->\n)[^]*?(\n<!-- \/rooms -->)/;

const mermaid = execFileSync(
  join(root, 'node_modules', '.bin', 'depcruise'),
  [
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'mermaid',
    '--include-only',
    '^(nodes|credentials)',
    '--collapse',
    ROOMS,
    'nodes',
    'credentials',
  ],
  { cwd: root, encoding: 'utf8' },
);
/** The arrows of each room on one line. */
const targets = new Map();
const others = mermaid.split('\n').filter((line) => {
  const [, from, to] = /^(\w+)-->(\w+)$/.exec(line) ?? [];
  if (from) targets.set(from, [...(targets.get(from) ?? []), to]);
  return !from && !/^(subgraph .*|end|\s*)$/.test(line);
});
const arrows = [...targets].map(([from, to]) => `${from}-->${to.join(' & ')}`);
const picture = [...others, ...arrows].join('\n');
const before = readFileSync(page, 'utf8');
if (!PICTURE.test(before))
  throw new Error('docs/dev/architecture.md has no <!-- rooms --> markers');
const after = before.replace(
  PICTURE,
  (_, start, end) => `${start}\n\`\`\`mermaid\n${picture}\n\`\`\`\n${end}`,
);

if (!process.argv.includes('--check')) writeFileSync(page, after);
else if (after !== before) {
  console.error('The picture in docs/dev/architecture.md does not match the imports.');
  console.error('Run: node dev/scripts/architecture.mjs');
  process.exitCode = 1;
}
