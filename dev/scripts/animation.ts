// `npx gulp pictures`: the pages of the form, one after the other, as an animated PNG for README.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ROOT } from '../n8n/home';

const FRAMES = ['form-upload', 'form-columns', 'form-check', 'form-done'];
const SECONDS = 3;
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** The parts of a PNG of a type, in their order. */
function partsOf(png: Buffer, type: string): Buffer[] {
	const parts: Buffer[] = [];
	for (let at = SIGNATURE.length; at < png.length; ) {
		const length = png.readUInt32BE(at);
		if (png.toString('latin1', at + 4, at + 8) === type)
			parts.push(png.subarray(at + 8, at + 8 + length));
		at += 12 + length;
	}
	return parts;
}

function part(type: string, ...data: Buffer[]): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), ...data]);
	return Buffer.concat([numbers(body.length - 4), body, numbers(crc32(body))]);
}

const numbers = (...values: number[]): Buffer =>
	Buffer.concat(
		values.map((value) => {
			const bytes = Buffer.alloc(4);
			bytes.writeUInt32BE(value >>> 0);
			return bytes;
		}),
	);

/**
 * Pictures of one width as an animation that goes on (APNG: https://www.w3.org/TR/png-3/). The tallest one
 * gives the size, and is what a program shows that knows no animations.
 */
function animated(pictures: Buffer[]): Buffer {
	const headers = pictures.map((png) => partsOf(png, 'IHDR')[0]);
	const heights = headers.map((header) => header.readUInt32BE(4));
	const tallest = heights.indexOf(Math.max(...heights));
	let order = 0;
	const frames = pictures.flatMap((png, frame) => {
		// Each frame is shown for some seconds and then cleared.
		const place = numbers(headers[frame].readUInt32BE(0), heights[frame], 0, 0);
		const control = part('fcTL', numbers(order++), place, Buffer.from([0, SECONDS, 0, 1, 1, 0]));
		const data = partsOf(png, 'IDAT').map((bytes) => part('fdAT', numbers(order++), bytes));
		return [control, ...data];
	});
	return Buffer.concat([
		...[SIGNATURE, part('IHDR', headers[tallest]), part('acTL', numbers(pictures.length, 0))],
		...partsOf(pictures[tallest], 'IDAT').map((bytes) => part('IDAT', bytes)),
		...[...frames, part('IEND')],
	]);
}

const [folder = join(ROOT, 'docs', 'images')] = process.argv.slice(2);
const pictures = FRAMES.map((name) => readFileSync(join(folder, `${name}.png`)));
writeFileSync(join(folder, 'form.png'), animated(pictures));
