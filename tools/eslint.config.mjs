import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Sandbox, demo, bench, test and tools run in Node and are not published: n8n's rules for
 * shipped code (no `node:` imports, no timers, no console) do not apply to them. */
export default defineConfig({
  files: ['**/*.ts'],
  extends: [js.configs.recommended, tseslint.configs.recommended],
  rules: { '@typescript-eslint/consistent-type-imports': 'error', 'no-undef': 'off' },
});
