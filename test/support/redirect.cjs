/*
 * Loaded into n8n (node --require) by tests: requests over https go to a server of the test, which stands in
 * for the services of others (test/support/otherServices.ts). Their names stay in the header Host, and
 * nothing leaves the machine. n8n's nodes for Google, Slack and QuickChart have no setting for an address.
 */
const http = require('node:http');
const https = require('node:https');
const { urlToHttpOptions } = require('node:url');

const port = Number(process.env.OTHER_SERVICES_PORT);

https.request = (first, ...rest) => {
	const isUrl = typeof first === 'string' || first instanceof URL;
	const given = isUrl
		? { ...urlToHttpOptions(new URL(first)), ...(typeof rest[0] === 'object' && rest.shift()) }
		: first;
	const host = given.hostname ?? given.host;
	const headers = Object.entries(given.headers ?? {}).filter(([name]) => !/^host$/i.test(name));
	const { method, path, auth, signal, timeout } = given;
	return http.request(
		{
			method,
			path,
			auth,
			signal,
			timeout,
			host: '127.0.0.1',
			port,
			headers: { ...Object.fromEntries(headers), host },
		},
		...rest,
	);
};
https.get = (...args) => {
	const request = https.request(...args);
	request.end();
	return request;
};
