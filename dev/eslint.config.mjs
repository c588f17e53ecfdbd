import { configWithoutCloudSupport } from '@n8n/node-cli/eslint';

const isForShippedCode = (rule) => /^(@n8n\/community-nodes|n8n-nodes-base)\/|^no-console$/.test(rule);

/**
 * n8n's lint settings for code that is not published: without the rules about nodes, but with those
 * about JavaScript, TypeScript and imports.
 *
 * dev/ and test/ each need an eslint.config.mjs: n8n's strict mode accepts only its own in the root, and
 * ESLint reads the settings for a file from the nearest folder above it.
 */
export default [
  // The editor of the demo's n8n: a minute of somebody else's code.
  { ignores: ['demo/.*/'] },
  ...configWithoutCloudSupport
    .filter(({ files }) => !files?.flat().includes('package.json'))
    .map((config) => ({
      ...config,
      rules: Object.fromEntries(
        Object.entries(config.rules ?? {}).filter(([rule]) => !isForShippedCode(rule)),
      ),
    })),
];
