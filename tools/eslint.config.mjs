import { configWithoutCloudSupport } from '@n8n/node-cli/eslint';

const isForShippedCode = (rule) => /^(@n8n\/community-nodes|n8n-nodes-base)\/|^no-console$/.test(rule);

/**
 * n8n's lint settings for code that is not published: the rules of JavaScript, TypeScript and imports
 * stay, those about the inside of a node do not apply.
 *
 * Each folder of such code (bench, demo, harness, sandbox, test, tools) needs an eslint.config.mjs of
 * its own: n8n's strict mode takes no other eslint.config.mjs in the root than its own, and ESLint
 * reads the settings of a file from the nearest folder above it.
 */
export default configWithoutCloudSupport
  .filter(({ files }) => !files?.flat().includes('package.json'))
  .map((config) => ({
    ...config,
    rules: Object.fromEntries(
      Object.entries(config.rules ?? {}).filter(([rule]) => !isForShippedCode(rule)),
    ),
  }));
