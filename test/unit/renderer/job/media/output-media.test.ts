import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { encodePng } from '../../../../../src-main/sandbox/workers/handlers/image.ts';
import { digestOf, type StreamedMedia } from '../../../../../src-preload/stream-digest.ts';
import type { FoundFile, FoundImage } from '../../../../../src-renderer/job/media/find-images.ts';
import { isLongAsStream, isStreamAgain, outputMedia } from '../../../../../src-renderer/job/media/output-media.ts';
import { StreamLog } from '../../../../../src-renderer/stream/stream-log.ts';
import { joinText } from '../../../../../src-renderer/stream/text-source.ts';

const png = encodePng(40, 30, new Uint8Array(40 * 30 * 3).fill(7)).toString('base64');
/** Without padding, so that nothing but what follows says where it ends. */
const mp3 = Buffer.concat([Buffer.from('ID3\u0004'), Buffer.alloc(200, 9)]).toString('base64');
const wav = ((): string => {
  const bytes = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(101, 5)]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  return bytes.toString('base64');
})();
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
const aSound: FoundFile = {
  path: 'audio',
  filename: null,
  base64: wav,
  kind: 'audio',
  type: 'audio/wav',
  extension: 'wav',
  bytes: 117,
};
const inChunk = (seq: number, index = 0, chunks = 1): StreamedMedia => ({ kind: 'image', seq, chunks, index });

const chunksOf = (outputs: readonly unknown[], from = 0) =>
  outputs.map((output, at) => ({
    seq: from + at,
    outputJson: JSON.stringify(output),
    metricsJson: null,
    receivedAtMs: 100 + from + at,
  }));

function logOf(...outputs: unknown[]): StreamLog {
  const log = new StreamLog();
  log.accept(chunksOf(outputs));
  return log;
}

it('lists the media of the stream in order, then the images of the body, and shows those of the body first', () => {
  const streamed = [inChunk(3), inChunk(8), inChunk(8, 1), inChunk(9)];
  const media = outputMedia(streamed, [anImage]);
  expect(media.count).toBe(5);
  expect(Array.from({ length: 6 }, (_, at) => media.at(at))).toEqual([...streamed, anImage, undefined]);
  expect([media.first, outputMedia([inChunk(3), inChunk(8)], []).first, outputMedia([], []).first]).toEqual([4, 1, -1]);
});

it('counts them over messages and pages of a stream', () => {
  const log = logOf('a', { image: png });
  expect(log.hasPlayed).toBe(false);
  log.accept(chunksOf([[png, png], { audio: wav }], 2));
  expect(log.media).toEqual([inChunk(1), inChunk(2), inChunk(2, 1), { kind: 'audio', seq: 3, chunks: 1, index: 0 }]);
  expect(log.hasPlayed).toBe(true);
});

describe('a body', () => {
  it('is the stream again if it is a list with as many entries, images and sounds', () => {
    const log = logOf({ image: png }, { audio: wav });
    const images = { found: [anImage], files: [aSound], isCapped: false };
    expect(isStreamAgain(log, { images, listLength: 2 })).toBe(true);
    expect(isStreamAgain(log, { images: { ...images, files: [] }, listLength: 2 })).toBe(false);
    expect(isStreamAgain(log, { images, listLength: null })).toBe(false);
    expect(isStreamAgain(log, { images, listLength: 3 })).toBe(false);
    expect(isStreamAgain(logOf('a', 'b'), { images, listLength: 2 })).toBe(false);
    // Previews came in one chunk, and the results in a list of as many entries.
    const results = { images: { found: [anImage, anImage, anImage], files: [], isCapped: false }, listLength: 2 };
    expect(isStreamAgain(log, results)).toBe(false);
    expect(isStreamAgain(log, { ...results, images: { ...results.images, isCapped: true } })).toBe(true);
  });

  it('that was read in part is the stream again only if it is as long', () => {
    const outputs = [
      { step: 1, image: png },
      { step: 2, image: png },
      { step: 3, image: png },
    ];
    const log = logOf(...outputs);
    const cut = (value: unknown, json = JSON.stringify(value)) => ({ text: json.slice(0, 200), bytes: json.length });
    expect(isLongAsStream(cut(outputs), log)).toBe(true);
    expect(isLongAsStream(cut(outputs, JSON.stringify(outputs).replaceAll(/,(?=\{)/g, ', ')), log)).toBe(true);
    // Two results after three previews.
    expect(isLongAsStream(cut([{ image: png.repeat(2) }, { image: png.repeat(2) }]), log)).toBe(false);
    expect(isLongAsStream(cut(outputs), logOf('a', 'b', 'c'))).toBe(false);
  });
});

const split = (text: string, ...places: number[]): string[] =>
  [0, ...places].map((from, at) => text.slice(from, places[at] ?? text.length));

describe('a medium in several chunks', () => {
  it('is found when its last piece has arrived, with a few words in its place', () => {
    const pieces = split(`data:image/png;base64,${png}`, 90, 100);
    const log = logOf('Here it is: ', ...pieces.slice(0, 2));
    expect([log.media, joinText(log)]).toEqual([[], 'Here it is: ']);
    log.accept(chunksOf([pieces[2], ' Done.'], 3));
    expect(log.media).toEqual([inChunk(1, 0, 3)]);
    expect(joinText(log)).toBe('Here it is: "PNG, 40 × 30, 98 B"\n Done.');
  });

  it.each([
    ['two images', [...split(png, 60), ...split(png, 100)], [2, 2]],
    ['a sound, whose header says its length', split(wav, 70, 120), [3]],
    ['a prefix alone', ['data:image/png;base64,', ...split(png, 50)], [3]],
    ['small pieces', png.match(/.{1,12}/g) ?? [], [Math.ceil(png.length / 12)]],
    ['pieces with line ends', split(png, 90).map((piece) => `${piece}\n`), [2]],
    ['pieces as text in objects', split(png, 90).map((text) => ({ text })), [2]],
  ])('of %s', (_name, outputs, chunks) => {
    expect(logOf(...outputs).media.map((each) => each.chunks)).toEqual(chunks);
  });

  it('may be a sound without a known end: the following text ends it', () => {
    const pieces = split(mp3, 100, 200);
    const log = logOf(...pieces);
    expect([log.media, log.run?.facts?.extension]).toEqual([[], 'mp3']);
    log.accept(chunksOf([{ done: true }], 3));
    expect(log.media).toEqual([{ kind: 'audio', seq: 0, chunks: 3, index: 0 }]);
    const ended = logOf(...pieces);
    ended.end('COMPLETED');
    expect(ended.media).toEqual([{ kind: 'audio', seq: 0, chunks: 3, index: 0 }]);
    // One whole sound in each chunk.
    expect(logOf(mp3, mp3, mp3).media.map(({ seq, chunks }) => [seq, chunks])).toEqual([
      [0, 1],
      [1, 1],
    ]);
  });

  it.each([
    ['a piece is missing', [png.slice(0, 90)]],
    ['words follow', [png.slice(0, 90), `${png.slice(90)} is what it drew`]],
    ['it is words', ['iVBORw0KGgo is how a PNG begins, ', 'and this goes on']],
    ['it is longer than its base64', [png.slice(0, 90), `${png.slice(90)}${png.endsWith('=') ? '' : '='}${png}`]],
  ])('is unchanged text if %s', (_name, outputs) => {
    const log = logOf(...outputs);
    log.end(null);
    expect([log.media, joinText(log), log.hasText]).toEqual([[], outputs.join(''), true]);
    expect(log.arrivals.firstWithin(0, 1)).toBe(100);
  });

  it('checks only once a long text that merely begins like an image', () => {
    const log = logOf(png.slice(0, 90), ' '.repeat(300_000), '!', png.slice(90));
    log.end(null);
    expect(log.media).toEqual([]);
  }, 2_000);

  it('leaves a few words in the text, however many pieces came, and nothing of the last one', () => {
    const log = new StreamLog();
    const pieces = split(wav, 40, 80, 120);
    for (let seq = 0; seq < 4_002; seq += 1) log.accept(chunksOf([pieces[seq % 4]], seq));
    expect([log.media.length, log.length]).toEqual([1_000, 1_000 * '"WAV, 117 B"\n'.length]);
    expect(log.run?.chunks).toBe(2);
  });

  it('is the same in messages of any size and in pages of the saved stream', () => {
    const output = fc.oneof(
      fc.constantFrom<unknown>('Words, ', 'word', { n: 1 }, { image: png }, png, wav, mp3.slice(0, 100), ''),
      fc.constantFrom(...split(png, 20, 60, 90), ...split(`data:audio/wav;base64,${wav}`, 22, 80)),
    );
    const whole = fc.constantFrom(split(png, 60, 90), split(wav, 50), split(mp3, 100));
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            output.map((each) => [each]),
            whole,
          ),
          { maxLength: 12 },
        ),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.boolean()), { maxLength: 12 }),
        (parts, sizes) => {
          const chunks = chunksOf(parts.flat());
          const one = new StreamLog();
          one.accept(chunks);
          one.end(null);
          const other = new StreamLog();
          for (const [size, isPage] of [...sizes, [chunks.length, false] as const]) {
            const next = chunks.slice(other.chunkCount, other.chunkCount + size);
            const fromSeq = other.chunkCount;
            const page = {
              fromSeq,
              nextSeq: fromSeq + next.length,
              isLast: false,
              firstReceivedAtMs: next[0]?.receivedAtMs ?? null,
              digest: digestOf(next, { run: other.run }),
            };
            if (isPage) other.acceptPage(page);
            else other.accept(next);
          }
          other.end(null);
          expect([other.media, joinText(other), other.jsonChars]).toEqual([one.media, joinText(one), one.jsonChars]);
        },
      ),
    );
  });
});
