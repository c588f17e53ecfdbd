import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';

import { IMAGES } from './editor';

/** Pixels; the README shows no more. */
const WIDTH = 960;
/** Milliseconds for which each frame is shown: long enough to read its caption and a row. */
const SHOWN_FOR = 3_000;
/** Bytes: a page with it still opens at once. */
const MOST_BYTES = 1_500_000;

/** What a browser shows, frame by frame, as an animated picture for the documentation. */
export class Animation {
	private readonly frames: Buffer[] = [];

	constructor(private readonly page: Page) {}

	/** Takes a frame, with a caption below what the page shows. */
	async frame(caption: string): Promise<void> {
		if (!IMAGES) return;
		await this.page.waitForTimeout(800); // what moves comes to rest
		await this.page.evaluate((text) => {
			const line = document.createElement('div');
			line.id = 'caption';
			line.textContent = text;
			line.style.cssText =
				'position:fixed;left:0;right:0;bottom:0;z-index:99999;padding:14px;background:#101330;' +
				'color:#fff;font:600 22px/1.2 sans-serif;text-align:center';
			document.body.append(line);
		}, caption);
		this.frames.push(await this.page.screenshot());
		await this.page.evaluate(() => document.getElementById('caption')?.remove());
	}

	async save(name: string): Promise<void> {
		if (!IMAGES) return;
		const { default: sharp } = await import('sharp');
		const delay = this.frames.map(() => SHOWN_FOR);
		// One by one: an animation that is resized loses all frames but the first.
		const smaller = this.frames.map(
			async (frame) => await sharp(frame).resize({ width: WIDTH }).toBuffer(),
		);
		const image = await sharp(await Promise.all(smaller), { join: { animated: true } })
			.gif({ delay, loop: 0, colours: 128 })
			.toBuffer();
		expect(image.length).toBeLessThan(MOST_BYTES);
		writeFileSync(join(IMAGES, `${name}.gif`), image);
	}
}
