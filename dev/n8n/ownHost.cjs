/*
 * Loaded into n8n (node --require) before it starts: its servers answer only to their own address. A
 * website that has its name point to 127.0.0.1 (DNS rebinding) would otherwise be served as if it were
 * this n8n's own page. n8n has no setting for this.
 */
const { Server } = require('node:http');

const NAMES = ['127.0.0.1', 'localhost'];
const { emit } = Server.prototype;

Server.prototype.emit = function (event, request, response, ...rest) {
	if (!['request', 'checkContinue', 'upgrade'].includes(event) || isOwn(this, request)) {
		return emit.call(this, event, request, response, ...rest);
	}
	const text = `This n8n answers only to http://${NAMES[0]}:${this.address()?.port}\n`;
	// Of an upgrade, the second argument is the socket.
	if (event === 'upgrade')
		response.end('HTTP/1.1 421 Misdirected Request\r\nConnection: close\r\n\r\n');
	else response.writeHead(421, { 'content-type': 'text/plain', connection: 'close' }).end(text);
	return true;
};

function isOwn(server, { headers }) {
	const port = server.address()?.port;
	return NAMES.some(
		(name) => headers.host === `${name}:${port}` || (port === 80 && headers.host === name),
	);
}
