import { configWithoutCloudSupport } from '@n8n/node-cli/eslint';

const isForShippedCode = (rule) => /^(@n8n\/community-nodes|n8n-nodes-base)\/|^no-console$/.test(rule);

/**
 * n8n's lint settings for code that is not published (sandbox, demo, bench, test, tools): the rules
 * of JavaScript, TypeScript and imports stay, those about the inside of a node do not apply.
 */
export default configWithoutCloudSupport
  .filter(({ files }) => !files?.flat().includes('package.json'))
  .map((config) => ({
    ...config,
    rules: Object.fromEntries(
      Object.entries(config.rules ?? {}).filter(([rule]) => !isForShippedCode(rule)),
    ),
  }));
