import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/*
 * Certificates for tests, made when they are needed: Node.js can read and check them, but not make any.
 * Only what TLS asks for is in them (RFC 5280), in DER.
 */

function der(tag: number, ...parts: Buffer[]): Buffer {
	const content = Buffer.concat(parts);
	const { length } = content;
	if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
	const size = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex');
	return Buffer.concat([Buffer.from([tag, 0x80 + size.length]), size, content]);
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const octets = (content: Buffer) => der(0x04, content);
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);
const integer = (bytes: Buffer) => der(0x02, bytes);
const explicit = (number: number, content: Buffer) => der(0xa0 + number, content);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
/** From 2050 on, and before 1950, dates have four digits for the year; they may have them at any time here. */
const time = (date: Date) =>
	der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+/g, '')}`));
const TRUE = der(0x01, Buffer.from([0xff]));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const BASIC_CONSTRAINTS = oid('551d13');
const SUBJECT_ALT_NAME = oid('551d11');
const name = (text: string) =>
	sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))));

export interface CertificateOptions {
	name: string;
	/** Names and IPv4 addresses of the hosts that it is for; none: it is that of an authority. */
	hosts?: string[];
	/** Who signs it; absent: it is self-signed. */
	issuer?: { name: string; privateKey: KeyObject };
	until?: Date;
}

export function makeCertificate({
	name: subject,
	hosts,
	issuer,
	until = new Date('2120-01-01'),
}: CertificateOptions) {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const extensions = hosts
		? sequence(SUBJECT_ALT_NAME, octets(sequence(...hosts.map(hostName))))
		: sequence(BASIC_CONSTRAINTS, TRUE, octets(sequence(TRUE)));
	const serial = randomBytes(8);
	serial[0] = 1;
	const content = sequence(
		explicit(0, integer(Buffer.from([2]))),
		integer(serial),
		ECDSA_WITH_SHA256,
		name(issuer?.name ?? subject),
		sequence(time(new Date('2020-01-01')), time(until)),
		name(subject),
		publicKey.export({ type: 'spki', format: 'der' }),
		explicit(3, sequence(extensions)),
	);
	const signature = sign('sha256', content, issuer?.privateKey ?? privateKey);
	const whole = sequence(content, ECDSA_WITH_SHA256, bits(signature));
	const lines = whole.toString('base64').match(/.{1,64}/g)!;
	return {
		/** PEM, as the key. */
		cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
		name: subject,
		privateKey,
	};
}

function hostName(host: string): Buffer {
	const isAddress = /^[\d.]+$/.test(host);
	return isAddress
		? der(0x87, Buffer.from(host.split('.').map(Number)))
		: der(0x82, Buffer.from(host));
}
