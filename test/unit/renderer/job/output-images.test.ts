import { expect, it } from 'vitest';
import { encodePng } from '../../../../src-main/sandbox/workers/handlers/image.ts';
import type { FoundImage } from '../../../../src-renderer/job/find-images.ts';
import { joinedImage, outputImages, ownImages } from '../../../../src-renderer/job/output-images.ts';
import { createStreamLog, type StreamLog } from '../../../../src-renderer/stream/stream-log.ts';

const png = encodePng(40, 30, new Uint8Array(40 * 30 * 3).fill(7)).toString('base64');
const anImage: FoundImage = {
  path: 'image',
  filename: null,
  base64: png,
  format: 'png',
  width: 40,
  height: 30,
  bytes: 98,
  facts: [],
};

function logOf(...outputs: unknown[]): StreamLog {
  const log = createStreamLog();
  log.accept(
    outputs.map((output, seq) => ({ seq, outputJson: JSON.stringify(output), metricsJson: null, receivedAtMs: 0 })),
  );
  return log;
}

it('lists the images of the stream in order, then those of the body, and shows those of the body first', () => {
  const images = outputImages([3, 8, 8, 9], [anImage]);
  expect(images.count).toBe(5);
  expect(Array.from({ length: 6 }, (_, at) => images.at(at))).toEqual([
    { seq: 3, index: 0 },
    { seq: 8, index: 0 },
    { seq: 8, index: 1 },
    { seq: 9, index: 0 },
    anImage,
    undefined,
  ]);
  expect([images.first, outputImages([3, 8], []).first, outputImages([], []).first]).toEqual([4, 1, -1]);
});

it('counts images over messages and pages of a stream', () => {
  const log = logOf('a', { image: png });
  log.accept([{ seq: 2, outputJson: JSON.stringify([png, png]), metricsJson: null, receivedAtMs: 0 }]);
  expect(log.imageSeqs).toEqual([1, 2, 2]);
});

it('leaves out a body that is the stream again, and keeps one that is a result', () => {
  const log = logOf({ image: png }, { image: png });
  const images = { found: [anImage, anImage], isCapped: false };
  expect(ownImages(log, { images, listLength: 2 }, null)).toEqual([]);
  expect(ownImages(log, { images, listLength: null }, null)).toEqual(images.found);
  expect(ownImages(log, { images, listLength: 3 }, null)).toEqual(images.found);
  expect(ownImages(logOf('a', 'b'), { images, listLength: 2 }, null)).toEqual(images.found);
  // Previews came in one chunk, and the results in a list of as many entries.
  const results = { images: { found: [anImage, anImage, anImage], isCapped: false }, listLength: 2 };
  expect(ownImages(log, results, null)).toEqual(results.images.found);
  expect(ownImages(log, { ...results, images: { ...results.images, isCapped: true } }, null)).toEqual([]);
});

it('is one image if the text of all chunks is, once the stream has ended', () => {
  const log = logOf(png.slice(0, 90), png.slice(90, 100), png.slice(100));
  expect([log.imageSeqs, joinedImage(log)]).toEqual([[], null]);
  log.end('COMPLETED');
  const joined = joinedImage(log);
  expect(joined).toMatchObject({ base64: png, width: 40, height: 30 });
  expect(ownImages(log, { images: { found: [anImage], isCapped: false }, listLength: 3 }, joined)).toEqual([joined]);
  expect(ownImages(log, null, joined)).toEqual([joined]);
});

it.each([
  ['a piece is missing', [png.slice(0, 90)]],
  ['words follow', [png.slice(0, 90), `${png.slice(90)} is what it drew`]],
  ['another image follows', [png.slice(0, 90), `${png.slice(90)}${png.endsWith('=') ? '' : '='}${png}`]],
  ['it is words', ['iVBORw0KGgo is how a PNG begins, ', 'and this goes on']],
])('is none if %s', (_name, outputs) => {
  const log = logOf(...outputs);
  log.end(null);
  expect(joinedImage(log)).toBeNull();
});

it('looks once at a long text that only begins like an image', () => {
  const log = logOf(png.slice(0, 90), ' '.repeat(300_000), '!', png.slice(90));
  log.end(null);
  expect(joinedImage(log)).toBeNull();
}, 2_000);
