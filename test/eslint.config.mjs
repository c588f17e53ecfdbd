export { default } from '../dev/eslint.config.mjs';
