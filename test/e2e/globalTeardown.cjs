/** After the last suite. Jest loads this file without its transforms: so it imports nothing. */
module.exports = async () => await globalThis.sharedN8n?.end();
