import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodePng } from '../../../src-main/sandbox/workers/handlers/image.ts';
import { mostImages } from '../../../src-preload/base64-images.ts';
import { chunkImages } from '../../../src-preload/chunk-images.ts';
import { parseJson } from '../../../src-preload/json-spans.ts';
import { digestOf } from '../../../src-preload/stream-digest.ts';
import { findImages } from '../../../src-renderer/job/find-images.ts';
import { drained } from '../renderer/stream/drained.ts';

const pngBytes = encodePng(40, 30, new Uint8Array(40 * 30 * 3).fill(7));
const png = pngBytes.toString('base64');
const jpegBytes = Buffer.concat([
  Buffer.from('ffd8ffc0001108003200640301', 'hex'),
  Buffer.alloc(90, 3),
  Buffer.from('ffd9', 'hex'),
]);
const jpeg = jpegBytes.toString('base64');
const webp = ((): string => {
  const bytes = Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WEBPVP8X\n\0\0\0\0\0\0\0\x63\0\0\x31\0\0', 'latin1'),
    Buffer.alloc(60),
  ]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  return bytes.toString('base64');
})();
const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const json = JSON.stringify;
const dataUrl = `data:image/png;base64,${png}`;

const withImages: [string, string, number][] = [
  ['a data URL in an object', json({ output: { image: dataUrl }, step: 3 }), 1],
  ['a PNG as the whole output', json(png), 1],
  ['a JPEG as the whole output', json(jpeg), 1],
  ['a WebP as text', json({ text: webp }), 1],
  ['a GIF in a list', json([gif]), 1],
  ['several', json({ images: [png, { data: jpeg }, gif] }), 3],
  ['two that are the same', json([png, png]), 2],
  ['one in JSON in a string', json({ result: json({ image: png }) }), 1],
  ['one in lines', json({ image: png.replaceAll(/.{20}/g, '$&\r\n') }), 1],
  ['one with escaped slashes', json({ image: jpeg }).replaceAll('/', String.raw`\/`), 1],
  ['a damaged one that no other chunk completes', json({ image: png.slice(0, -40), step: 1 }), 1],
];
const withoutImages: [string, string][] = [
  ['words', json({ text: ['Once upon a time there was a queue that held all of its workers'] })],
  ['what only claims to be a PNG', json({ image: `data:image/png;base64,${btoa('any words at all '.repeat(9))}` })],
  ['the beginning of a PNG, which the next chunk continues', json(png.slice(0, 90))],
  ['the same as a data URL in text', json({ text: [dataUrl.slice(0, 100)] })],
  ['the beginning of a JPEG', json(jpeg.slice(0, 96))],
  ['the beginning of a WebP', json(webp.slice(0, 60))],
  ['the rest of an image', json(png.slice(90))],
  ['a text that quotes JSON with an image', json(`It answered {"image":"${png}"} and stopped.`)],
  ['an image as a name', json({ [png]: 1 })],
  ['what is not JSON', `{"image":"${png}`],
];

describe('the images of a chunk', () => {
  it.each(withImages)('are found in %s', (_name, outputJson, count) => {
    const found = chunkImages(outputJson);
    expect(found?.count).toBe(count);
    // The gallery reads the same ones.
    expect(drained(findImages(JSON.parse(outputJson))).found).toHaveLength(count);
    expect(found?.shownJson.length).toBeLessThan(count * 100);
    expect(parseJson(found?.shownJson ?? '')).toBeDefined();
  });

  it.each(withoutImages)('are none in %s, which stays as it is', (_name, outputJson) => {
    expect(chunkImages(outputJson)).toBeNull();
    const chunk = { outputJson, metricsJson: null, receivedAtMs: 0 };
    expect(digestOf([chunk])).toEqual(digestOf([chunk], { withImages: true }));
  });

  it('are as many as the gallery shows of one output', () => {
    expect(chunkImages(json(Array.from({ length: mostImages + 9 }, () => gif)))?.count).toBe(mostImages);
  });

  it('are found in twenty megabytes', () => {
    const large = `${png.slice(0, 48)}${'A'.repeat(20_000_000)}${png.slice(-48)}`;
    expect(chunkImages(json({ image: large }))?.shownJson).toBe('{"image":"PNG, 40 × 30, 15 MB"}');
  });

  it('are none in any JSON without one', () => {
    fc.assert(fc.property(fc.json(), (any) => chunkImages(any) === null));
  });
});

describe('a digest', () => {
  const chunksOf = (...outputs: unknown[]) =>
    outputs.map((output) => ({ outputJson: json(output), metricsJson: null, receivedAtMs: 0 }));

  it('counts images by their chunks, with words in place of their data', () => {
    const digest = digestOf(
      chunksOf({ text: 'First. ' }, { image: png, step: 1 }, png, 'Last.', { images: [gif, jpeg] }),
    );
    expect(digest.imageChunks).toEqual([1, 2, 4, 4]);
    expect(digest.text).toBe(
      'First. {"image":"PNG, 40 × 30, 98 B","step":1}\n"PNG, 40 × 30, 98 B"\nLast.' +
        '{"images":["GIF, 1 × 1, 42 B","JPEG, 100 × 50, 105 B"]}\n',
    );
    expect(digest.hasText).toBe(true);
    expect(digestOf(chunksOf(png, jpeg)).hasText).toBe(false);
  });

  it('has the text beside an image, and all as it came if that is wanted', () => {
    const chunks = chunksOf({ text: 'step 3', image: png });
    expect(digestOf(chunks).text).toBe('step 3');
    const image = chunksOf({ image: png });
    expect(digestOf(image, { withImages: true }).text).toBe(`${json({ image: png })}\n`);
    expect(digestOf(image, { withImages: true }).imageChunks).toEqual([]);
  });
});
