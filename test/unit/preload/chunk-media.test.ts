import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodePng } from '../../../src-main/sandbox/workers/handlers/image.ts';
import { maxImages } from '../../../src-preload/base64-images.ts';
import { chunkMedia } from '../../../src-preload/chunk-media.ts';
import { parseJson } from '../../../src-preload/json-spans.ts';
import { digestOf, digestOfEnd } from '../../../src-preload/stream-digest.ts';
import { pieceOfChunk } from '../../../src-preload/stream-text.ts';
import { findImages } from '../../../src-renderer/job/media/find-images.ts';
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
  [
    'data that only claims to be a PNG',
    json({ image: `data:image/png;base64,${btoa('any words at all '.repeat(9))}` }),
  ],
  ['the beginning of a PNG, which the next chunk continues', json(png.slice(0, 90))],
  ['the same as a data URL in text', json({ text: [dataUrl.slice(0, 100)] })],
  ['the beginning of a JPEG', json(jpeg.slice(0, 96))],
  ['the beginning of a WebP', json(webp.slice(0, 60))],
  ['the rest of an image', json(png.slice(90))],
  ['a text that quotes JSON with an image', json(`It answered {"image":"${png}"} and stopped.`)],
  ['an image as a name', json({ [png]: 1 })],
  ['text that is not JSON', `{"image":"${png}`],
];

/** What a decoder needs of it is not there, but its first bytes say what it is. */
const soundOf = (...parts: (string | Buffer)[]): string =>
  Buffer.concat([...parts.map((part) => Buffer.from(part)), Buffer.alloc(61, 5)]).toString('base64');
const wav = ((): string => {
  const bytes = Buffer.from(soundOf('RIFF', Buffer.alloc(4), 'WAVEfmt '), 'base64');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  return bytes.toString('base64');
})();
const sounds: [string, string, 'audio' | 'video'][] = [
  ['WAV', wav, 'audio'],
  ['MP3', soundOf('ID3', Buffer.from([4])), 'audio'],
  ['MP3', soundOf(Buffer.from('fffb9064', 'hex')), 'audio'],
  ['OGG', soundOf('OggS'), 'audio'],
  ['FLAC', soundOf('fLaC'), 'audio'],
  ['MP4', soundOf(Buffer.from([0, 0, 0, 0x20]), 'ftypisom'), 'video'],
  ['M4A', soundOf(Buffer.from([0, 0, 0, 0x1c]), 'ftypM4A '), 'audio'],
  ['WEBM', soundOf(Buffer.from('1a45dfa39f', 'hex')), 'video'],
];

describe('the sounds and videos of a chunk', () => {
  it.each(sounds)('are recognised by their bytes: %s', (name, base64, kind) => {
    const shown = `${name}, ${Math.floor(Buffer.from(base64, 'base64').length)} B`;
    const forms: unknown[] = [
      { audio: base64 },
      { results: [{ deep: { data: `data:audio/any;base64,${base64}` } }] },
      { result: json({ audio: base64 }) },
      { text: 'spoken', audio: base64 },
    ];
    for (const form of forms)
      for (const outputJson of [json(form), json(form).replaceAll('/', String.raw`\/`)]) {
        const found = chunkMedia(outputJson);
        expect([found?.kinds, found?.captions]).toEqual([[kind], [shown]]);
        // The player reads the same ones.
        expect(drained(findImages(JSON.parse(outputJson))).files.map((file) => file.kind)).toEqual([kind]);
      }
  });

  it('are counted in one list with images, in the order of the text', () => {
    const found = chunkMedia(json({ first: wav, image: png, images: [{ second: wav }, gif] }));
    expect(found?.kinds).toEqual(['audio', 'image', 'audio', 'image']);
    const { media } = digestOf([
      { outputJson: json({ first: wav, image: png, second: wav }), metricsJson: null, receivedAtMs: 0 },
    ]);
    expect(media.map(({ kind, index }) => [kind, index])).toEqual([
      ['audio', 0],
      ['image', 0],
      ['audio', 1],
    ]);
  });

  it.each([
    ['a file that is not playable', Buffer.from(`%PDF-1.7${'any words at all '.repeat(9)}`).toString('base64')],
    ['unknown bytes in a data URL', `data:audio/wav;base64,${btoa('any words at all '.repeat(9))}`],
    ['words after two slashes', '//comment that goes on for quite a while and says nothing at all of any sound'],
    ['an address without a scheme', `//cdn.example.com/${'path/'.repeat(20)}`],
  ])('are not found in %s', (_name, text) => {
    expect(chunkMedia(json({ value: text }))).toBeNull();
  });
});

describe('the images of a chunk', () => {
  it.each(withImages)('are found in %s', (_name, outputJson, count) => {
    const found = chunkMedia(outputJson);
    expect(found?.kinds).toHaveLength(count);
    // The gallery reads the same ones.
    expect(drained(findImages(JSON.parse(outputJson))).found).toHaveLength(count);
    expect(found?.shownJson.length).toBeLessThan(count * 100);
    expect(parseJson(found?.shownJson ?? '')).toBeDefined();
  });

  it.each(withoutImages)('are not found in %s, which stays unchanged', (_name, outputJson) => {
    expect(chunkMedia(outputJson)).toBeNull();
    const { run, ...digest } = digestOf([{ outputJson, metricsJson: null, receivedAtMs: 0 }]);
    if (run !== null) Object.assign(digest, digestOfEnd(run), { text: digest.heldText.texts.join('') });
    expect([digest.text, digest.media]).toEqual([pieceOfChunk(outputJson).text, []]);
  });

  it('are as many as the gallery shows for one output', () => {
    expect(chunkMedia(json(Array.from({ length: maxImages + 9 }, () => gif)))?.kinds).toHaveLength(maxImages);
  });

  it('are found in twenty megabytes', () => {
    const large = `${png.slice(0, 48)}${'A'.repeat(20_000_000)}${png.slice(-48)}`;
    expect(chunkMedia(json({ image: large }))?.shownJson).toBe('{"image":"PNG, 40 × 30, 15 MB"}');
  });

  it('are not found in any JSON without one', () => {
    fc.assert(fc.property(fc.json(), (any) => chunkMedia(any) === null));
  });
});

describe('a digest', () => {
  const chunksOf = (...outputs: unknown[]) =>
    outputs.map((output) => ({ outputJson: json(output), metricsJson: null, receivedAtMs: 0 }));

  it('counts images by their chunks, with words in place of their data', () => {
    const digest = digestOf(
      chunksOf({ text: 'First. ' }, { image: png, step: 1 }, png, 'Last.', { images: [gif, jpeg] }),
    );
    expect(digest.media.map(({ seq, index }) => [seq, index])).toEqual([
      [1, 0],
      [2, 0],
      [4, 0],
      [4, 1],
    ]);
    expect(digest.text).toBe(
      'First. {"image":"PNG, 40 × 30, 98 B","step":1}\n"PNG, 40 × 30, 98 B"\nLast.' +
        '{"images":["GIF, 1 × 1, 42 B","JPEG, 100 × 50, 105 B"]}\n',
    );
    expect(digest.hasText).toBe(true);
    expect(digestOf(chunksOf(png, jpeg)).hasText).toBe(false);
  });

  it('has the text beside an image, and everything unchanged on request', () => {
    const chunks = chunksOf({ text: 'step 3', image: png });
    expect(digestOf(chunks).text).toBe('step 3');
    const image = chunksOf({ image: png });
    expect(digestOf(image, { withMedia: true }).text).toBe(`${json({ image: png })}\n`);
    expect(digestOf(image, { withMedia: true }).media).toEqual([]);
  });
});
