import { chromium } from '@playwright/test';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '../kit/chromium.ts';
import { projectDir } from '../kit/electron-binary.ts';

/*
 * Draws the icons of every system from resources/icon.svg, and the tray's images: `node test/run/icons.ts`. Its output
 * is committed, so that packaging converts nothing and needs no program for it.
 */
const resources = join(projectDir, 'resources');
const sizes = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const icoSizes = [16, 24, 32, 48, 64, 128, 256];
const trayIcoSizes = [16, 20, 24, 32];
/** The types of an icns that hold a PNG, with their widths. */
const icnsTypes: [type: string, size: number][] = [
  ['icp4', 16],
  ['icp5', 32],
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
];

const executablePath = findChromium();
if (executablePath === null) throw new Error('Drawing icons needs a Chromium.');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage();

/** An image at another size, as PNG. */
async function draw(source: Buffer, type: string, size: number): Promise<Buffer> {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>*{margin:0}img{display:block;width:${size}px;height:${size}px}</style>` +
      `<img src="data:${type};base64,${source.toString('base64')}">`,
  );
  await page.waitForFunction(() => document.images[0]?.complete === true);
  return page.screenshot({ omitBackground: true });
}

/** Several PNGs as one Windows icon. */
function ico(images: readonly { size: number; png: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let at = head.length;
  images.forEach(({ size, png }, index) => {
    const entry = 6 + 16 * index;
    head[entry] = size % 256;
    head[entry + 1] = size % 256;
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(at, entry + 12);
    at += png.length;
  });
  return Buffer.concat([head, ...images.map(({ png }) => png)]);
}

/** Several PNGs as one icon of macOS. */
function icns(images: readonly { type: string; png: Buffer }[]): Buffer {
  const parts = images.map(({ type, png }) => {
    const head = Buffer.alloc(8);
    head.write(type);
    head.writeUInt32BE(png.length + 8, 4);
    return Buffer.concat([head, png]);
  });
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.write('icns');
  head.writeUInt32BE(body.length + 8, 4);
  return Buffer.concat([head, body]);
}

const svg = readFileSync(join(resources, 'icon.svg'));
const drawn = new Map<number, Buffer>();
for (const size of sizes) drawn.set(size, await draw(svg, 'image/svg+xml', size));
const at = (size: number): Buffer => drawn.get(size) ?? Buffer.alloc(0);
mkdirSync(join(resources, 'icons'), { recursive: true });
for (const size of sizes) writeFileSync(join(resources, 'icons', `${size}x${size}.png`), at(size));
writeFileSync(join(resources, 'icon.png'), at(1024));
writeFileSync(join(resources, 'icon.ico'), ico(icoSizes.map((size) => ({ size, png: at(size) }))));
writeFileSync(join(resources, 'icon.icns'), icns(icnsTypes.map(([type, size]) => ({ type, png: at(size) }))));

const tray = join(resources, 'tray');
for (const name of readdirSync(tray).filter((file) => file.endsWith('@2x.png'))) {
  const source = readFileSync(join(tray, name));
  const images = [];
  for (const size of trayIcoSizes) images.push({ size, png: await draw(source, 'image/png', size) });
  writeFileSync(join(tray, name.replace('@2x.png', '.ico')), ico(images));
}
await browser.close();
