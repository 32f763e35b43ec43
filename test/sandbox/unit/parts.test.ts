import { inflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStreamBuffer } from '../../../src-main/sandbox/queue/stream-buffer.ts';
import { createSeededRandom } from '../../../src-main/sandbox/seeded-random.ts';
import { encodePng, paintLandscape } from '../../../src-main/sandbox/workers/handlers/image.ts';
import { writeDocument } from '../../../src-main/sandbox/workers/handlers/text-document.ts';
import { splitOutput } from '../../../src-main/sandbox/workers/output-json.ts';

describe('stream buffer', () => {
  it('returns every chunk once, in order, however reads and writes interleave', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), (steps) => {
        const buffer = createStreamBuffer();
        const read: number[] = [];
        let written = 0;
        const drain = (): void => {
          const chunks: { output: number }[] = JSON.parse(buffer.drain());
          read.push(...chunks.map(({ output }) => output));
        };
        for (const isWrite of steps) {
          if (isWrite) buffer.push({ outputJson: String(written++), metricsJson: null });
          else drain();
        }
        drain();
        expect(read).toEqual(Array.from({ length: written }, (_, index) => index));
      }),
    );
  });

  it('repeats from the start in replay', () => {
    const buffer = createStreamBuffer();
    buffer.push({ outputJson: '1', metricsJson: null });
    expect(buffer.replay()).toBe('[{"output":1}]');
    buffer.push({ outputJson: '2', metricsJson: null });
    expect(buffer.replay()).toBe('[{"output":1},{"output":2}]');
  });
});

describe('splitOutput', () => {
  const bytes = (json: string): number => Buffer.byteLength(json);

  it('cuts a text into pieces within the limit that join to the text', () => {
    const awkward = fc.string({ unit: fc.constantFrom('a', '"', '\ud800', '😀', 'é'), maxLength: 200 });
    const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), awkward);
    fc.assert(
      fc.property(texts, fc.integer({ min: 16, max: 90 }), (text, maxBytes) => {
        const pieces = splitOutput(text, maxBytes);
        expect(pieces.every((piece) => bytes(piece) <= maxBytes)).toBe(true);
        expect(pieces.map((piece) => JSON.parse(piece)).join('')).toBe(text);
        const hasCutPair = pieces.some((piece) => /\\ud[89a-f]/.test(piece));
        expect(hasCutPair && text.isWellFormed()).toBe(false);
      }),
    );
  });

  it('keeps the form of a text generator', () => {
    const pieces = splitOutput({ text: ['é'.repeat(3_000)], output_tokens: 7 }, 1_000);
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.every((piece) => bytes(piece) <= 1_000)).toBe(true);
    const parsed: { text: string[]; output_tokens: number }[] = pieces.map((piece) => JSON.parse(piece));
    expect(parsed.flatMap(({ text }) => text).join('')).toBe('é'.repeat(3_000));
    expect(new Set(parsed.map(({ output_tokens }) => output_tokens))).toEqual(new Set([7]));
  });

  it('cuts any other value as its JSON text, and leaves a small one unchanged', () => {
    const value = { list: Array.from({ length: 200 }, (_, index) => index) };
    expect(
      JSON.parse(
        splitOutput(value, 100)
          .map((piece) => JSON.parse(piece))
          .join(''),
      ),
    ).toEqual(value);
    expect(splitOutput(value, 10_000)).toEqual([JSON.stringify(value)]);
    expect(splitOutput(undefined, 100)).toEqual(['null']);
  });
});

describe('generated content', () => {
  const write = (prompt: string, maxTokens: number): string[] => [
    ...writeDocument({ prompt, random: createSeededRandom(5), maxTokens }),
  ];

  it('is a complete markdown text with the words of the prompt', () => {
    const text = write('Write an incident review about the zebrafish importer', 128).join('');
    expect(text).toMatch(/^# Incident review: the zebrafish importer\n\n/);
    expect(text).toMatch(/\n## .+\n\n1\. .+\n2\. /);
    expect(text).toMatch(/Filed under: .*zebrafish, importer, \w+\.$/);
    expect(write('Release notes for kangaroo 2', 128).join('')).toMatch(/^# Release notes: kangaroo 2\n/);
  });

  it('is as long as requested', () => {
    expect(write('x', 7)).toHaveLength(7);
    expect(write('x', 5_000).length).toBeGreaterThan(4_950);
    expect(write('x', 5_000).length).toBeLessThanOrEqual(5_000);
  });

  it('is a PNG with the painted pixels', () => {
    const rgb = paintLandscape(20, 10, createSeededRandom(3));
    const png = encodePng(20, 10, rgb);
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([20, 10]);
    const rows = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
    expect(rows).toHaveLength(10 * (1 + 60));
    expect([...rows.subarray(1, 4)]).toEqual([...rgb.subarray(0, 3)]);
    expect(new Set(rgb).size).toBeGreaterThan(30);
  });
});
