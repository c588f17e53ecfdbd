import { configWithoutCloudSupport } from '@n8n/node-cli/eslint';

/** Sandbox, demo, bench, test and tools run in Node and are not published: n8n's rules for
 * shipped code (no console, no `node:` imports, no timers) do not apply to them. */
export default [...configWithoutCloudSupport, { files: ['**/*.ts'], rules: { 'no-console': 'off' } }];
