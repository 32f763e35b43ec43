import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../../../src-preload/stream-digest.ts';
import { imageBlob } from '../../../../../src-renderer/job/media/find-images.ts';
import { formerError } from '../../../../../src-renderer/job/error-block.tsx';
import { readJson } from '../../../../../src-renderer/job/media/json-reading.ts';
import { deepestIndent } from '../../../../../src-preload/format-json.ts';
import { prettyJson } from '../../../../../src-renderer/stream/chunk-preview.ts';
import { factGroups } from '../../../../../src-renderer/job/fact-groups.ts';
import { readOutput } from '../../../../../src-renderer/job/output-views.ts';
import { readTraceback, readable, shortened } from '../../../../../src-preload/traceback.ts';
import type { Steps } from '../../../../../src-renderer/stream/use-steps.ts';
import { StreamLog } from '../../../../../src-renderer/stream/stream-log.ts';
import { createTextRows } from '../../../../../src-renderer/stream/text-rows.ts';
import { wholeText } from '../../../../../src-renderer/stream/text-source.ts';
import { aJob, anAttempt } from '../a-job.ts';
import { drained } from '../../stream/drained.ts';

const levels = 100_000;
const nested = (inside: string, count = levels): string => `${'['.repeat(count)}${inside}${']'.repeat(count)}`;
const nestedObjects = (inside: string): string => `${'{"inner":'.repeat(levels)}${inside}${'}'.repeat(levels)}`;
/** The smallest PNG there is, as a service sends it. */
const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** How many steps some work took, and what it came to. Between two steps the window can draw. */
function counted<T>(work: Steps<T>): { result: T; steps: number } {
  for (let steps = 1; ; steps += 1) {
    const next = work.next();
    if (next.done === true) return { result: next.value, steps };
  }
}

describe('an output of a hundred thousand levels', () => {
  it.each([
    ['lists', nested(`"${base64}"`)],
    ['objects', nestedObjects(`"${base64}"`)],
  ])('of %s is read, its image found and its path shortened', (_, output) => {
    const { text, images } = drained(readOutput(output, false));
    expect(text).toBeNull();
    expect(images.found).toMatchObject([{ format: 'png', width: 1, height: 1 }]);
    expect(images.found[0]?.path.length).toBeLessThan(300);
  });

  it('is text if it has more lines than a tree shows', () => {
    const source = wholeText(nested('1', 150_000));
    const rows = createTextRows(100);
    for (const segment of source.segments) rows.append(segment);
    expect(rows.count).toBe(3_001);
  });

  it('is formatted as a chunk', () => {
    const laidOut = drained(prettyJson(nested('"deep inside"', 90_000)));
    expect(laidOut).toContain(`\n${'  '.repeat(deepestIndent)}"deep inside"\n`);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        expect(drained(prettyJson(JSON.stringify(value)))).toBe(JSON.stringify(value, null, 2));
      }),
    );
    expect(drained(prettyJson('no JSON'))).toBe('no JSON');
    const tooLong = nested('1', 150_000);
    expect(drained(prettyJson(tooLong))).toBe(tooLong);
  });

  it('is read from a stream, with its metrics', () => {
    const log = new StreamLog();
    log.accept([{ seq: 0, outputJson: nested('1'), metricsJson: `{"odd":${nested('1')}}`, receivedAtMs: 0 }]);
    expect([log.chunkCount, log.length]).toEqual([1, nested('1').length + 1]);
    const groups = factGroups(
      {
        job: aJob({}),
        attempts: [],
        webhook: null,
        waitMs: null,
        s3ProfileId: null,
        note: '',
        lineage: { origin: null, copies: [], sameInput: { jobs: [], total: 0 } },
        error: null,
        extraFields: { odd: JSON.parse(nested('1')) },
      },
      anAttempt(),
      log,
    );
    const odd = groups.flatMap(({ facts }) => facts).filter(({ name }) => name === 'odd');
    expect(odd.map(({ value }) => value.length)).toEqual([2_001, 2_001]);
    expect(digestOf([{ outputJson: nestedObjects('1'), metricsJson: nested('1'), receivedAtMs: 0 }])).toMatchObject({
      hasText: false,
    });
  });

  it('is an error like any other', () => {
    expect(formerError({ errorText: nestedObjects('"boom"') })?.summary).toHaveLength(2_000);
    expect(formerError({ errorText: `{"error_message":"boom","more":${nested('1')}}` })?.summary).toBe('boom');
    expect(readTraceback(readable(nested('1', 1_000_000)))).toHaveLength(3);
  });
});

describe('JSON read a little at a time', () => {
  const long = ' '.repeat(300_000);

  it('results in what JSON.parse returns', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (value, indent) => {
        const json = JSON.stringify(value, null, indent);
        expect(drained(readJson(json + long))).toEqual({ value: JSON.parse(json), isWhole: true });
      }),
    );
    expect(drained(readJson(`{"__proto__":{"a":[1e3,-0.5,"\\u00e9\\n"]},"a":1,"a":2}${long}`)).value).toEqual(
      JSON.parse('{"__proto__":{"a":[1e3,-0.5,"\\u00e9\\n"]},"a":1,"a":2}'),
    );
  });

  it('is undefined if JSON.parse refuses, wherever the text is broken', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.nat(),
        fc.constantFrom('', ',', ']', '}', ':', '"x"', '1', 'nul', '[', '{'),
        (value, place, broken) => {
          const whole = JSON.stringify({ a: value, b: [value] });
          const at = place % whole.length;
          const json = whole.slice(0, at) + broken + whole.slice(at + 1);
          let parsed: unknown;
          try {
            parsed = JSON.parse(json);
          } catch {
            parsed = undefined;
          }
          expect(drained(readJson(json + long))).toEqual({ value: parsed, isWhole: true });
        },
      ),
    );
  });
});

describe('an output of 20 MB', () => {
  /** Then each step is at most a two-hundredth of the work, or of what is read of it. */
  const fewest = 200;
  const list = `[${'{"step":1,"loss":0.25,"name":"a"},'.repeat(600_000)}0]`;

  it.each([
    ['a list of small objects', list],
    ['empty lists', `[${'[],'.repeat(6_600_000)}1]`],
    ['levels', nested('1', 10_000_000)],
  ])('of %s is read in short steps', (_, output) => {
    const { result, steps } = counted(readOutput(output, false));
    expect(result.text).toBeNull();
    expect(steps).toBeGreaterThan(fewest);
    expect(result.images).toEqual({ found: [], links: [], fileLinks: [], files: [], isCapped: true });
    const laidOut = counted(prettyJson(output));
    expect(laidOut.result).toBe(output);
    expect(laidOut.steps).toBeGreaterThan(fewest);
  });

  it('of one image is found, and decoded in short steps', async () => {
    const data = base64 + 'A'.repeat(20_000_000 - base64.length);
    const found = counted(readOutput(`{"image":"${data.replaceAll('=', 'A')}"}`, false));
    const [image] = found.result.images.found;
    if (image === undefined) throw new Error('No picture was found.');
    const blob = counted(imageBlob(image));
    expect(blob.result?.size).toBe(15_000_000);
    expect(blob.steps).toBeGreaterThan(100);
    const head = new Uint8Array(await (blob.result ?? new Blob()).slice(0, 300_000).arrayBuffer());
    expect(Buffer.from(head).equals(Buffer.from(image.base64, 'base64').subarray(0, 300_000))).toBe(true);
  });

  it('of a traceback is read and shown in part', () => {
    const lines = shortened(readTraceback(readable('a line of text that says little\n'.repeat(600_000))));
    expect(lines).toHaveLength(401);
    expect(lines[100]).toMatchObject({
      text: expect.stringMatching(/^… \d+ lines hidden; Copy includes them …$/),
    });
  });
});
