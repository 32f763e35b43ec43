import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wholeCharacters, wholeOutput, wholeText, type WholeOutput } from '../../../src-main/engine/whole-output.ts';
import type { History } from '../../../src-main/history/history.ts';
import { writeWholeFile } from '../../../src-main/whole-file.ts';
import { ok, type Result } from '../../../src-preload/failure.ts';
import { openTestHistory } from '../../kit/threads.ts';
import { aNewJob } from '../../unit/history/a-database.ts';

let folder: string;
let history: History;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jobdeck-output-'));
  ({ history } = await openTestHistory({ path: join(folder, 'history.db'), now: Date.now }));
});
afterAll(async () => {
  await history.close();
  await rm(folder, { recursive: true, force: true });
});

/** A job with these bodies of its output, by attempt. */
async function aJobWith(key: string, outputs: readonly string[]): Promise<void> {
  const bodies = outputs.map((text, at) => ({ part: 'output' as const, attempt: at + 1, text }));
  const { job, ...rest } = aNewJob({ key, attempt: Math.max(1, outputs.length) });
  await history.commit([{ ...rest, job, bodies }]);
}

async function addChunks(key: string, texts: readonly string[]): Promise<void> {
  const chunks = texts.map((text) => ({ outputJson: JSON.stringify(text), metricsJson: null }));
  await history.appendChunks(key, 1, chunks, 0);
}

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

/** An output as it is joined, and what is said of it. */
async function read(key: string, attempt: number | null): Promise<{ text: string | null } & Partial<WholeOutput>> {
  const output = valueOf(await wholeOutput(history, key, attempt));
  const { isJson, isEmpty } = output;
  return { text: valueOf(await wholeText(output, 100_000_000)), isJson, isEmpty };
}

it('an output is what the service sent: JSON unchanged, a string as its text', async () => {
  await aJobWith('k1', ['{"a": [1, 2]}', '"two\\nlines"', '"not closed']);
  expect(await read('k1', 1)).toEqual({ text: '{"a": [1, 2]}', isJson: true, isEmpty: false });
  expect(await read('k1', 2)).toEqual({ text: 'two\nlines', isJson: false, isEmpty: false });
  expect(await read('k1', null)).toEqual({ text: '"not closed', isJson: true, isEmpty: false });
  const output = valueOf(await wholeOutput(history, 'k1', 2));
  expect([await output.isLongerThan(8), await output.isLongerThan(9)]).toEqual([ok(true), ok(false)]);
});

it('without an output it is empty, and without the job a failure', async () => {
  await aJobWith('k3', []);
  expect(await read('k3', null)).toEqual({ text: '', isJson: false, isEmpty: true });
  expect(await wholeOutput(history, 'nobody', null)).toMatchObject({ ok: false, failure: { kind: 'absent' } });
});

describe('a stream of several pages', () => {
  const words = Array.from({ length: 60 }, (_, at) => `${at} ${'wörd '.repeat(10_000)}`);
  const text = words.join('');
  /** What was asked of the history, in order. */
  let asked: string[] = [];
  let noted: () => Promise<void> = async () => {};
  const watched: Pick<History, 'get' | 'body' | 'streamPage' | 'countStreamChars'> = {
    get: (...of) => history.get(...of),
    body: (...of) => history.body(...of),
    async streamPage(...of) {
      asked.push('text');
      await noted();
      return history.streamPage(...of);
    },
    async countStreamChars(...of) {
      asked.push('length');
      return history.countStreamChars(...of);
    },
  };
  beforeAll(async () => {
    await aJobWith('k2', ['["from the service"]']);
    await addChunks('k2', words);
  });

  it('is the text of its chunks, even if there is a body', async () => {
    expect(await read('k2', null)).toEqual({ text, isJson: false, isEmpty: false });
  });

  it('is not read if it is longer than wanted, and its length only as far as that', async () => {
    asked = [];
    const output = valueOf(await wholeOutput(watched, 'k2', null));
    expect(await wholeText(output, text.length - 1)).toEqual(ok(null));
    const pages = asked.length;
    expect(new Set(asked)).toEqual(new Set(['length']));
    expect(pages).toBeGreaterThan(4);
    asked = [];
    expect(await wholeText(output, 1_000)).toEqual(ok(null));
    expect(asked).toEqual(['length']);
    expect(await output.isLongerThan(text.length)).toEqual(ok(false));
  });

  it('is written to a file page by page: the next one is read when the one before is written', async () => {
    const path = join(folder, 'output.txt');
    const written: number[] = [];
    noted = async () => {
      const file = (await readdir(folder)).find((name) => name.startsWith('output.txt.'));
      written.push(file === undefined ? 0 : (await stat(join(folder, file))).size);
    };
    const output = valueOf(await wholeOutput(watched, 'k2', null));
    await writeWholeFile(path, output.parts());
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(written.length).toBeGreaterThan(4);
    // A page has at least half a megabyte, except for the first one.
    const [, first = 0] = written;
    expect(first).toBeGreaterThan(60_000);
    for (const [at, bytes] of written.entries()) expect(bytes).toBeGreaterThanOrEqual((at - 1) * 500_000);
  });

  it('leaves no file if its job is deleted meanwhile', async () => {
    await aJobWith('k4', []);
    await addChunks('k4', words);
    const output = valueOf(await wholeOutput(watched, 'k4', null));
    noted = async () => void (await history.removeJob('k4'));
    await expect(writeWholeFile(join(folder, 'gone.txt'), output.parts())).rejects.toThrow('not in the history');
    noted = async () => {};
    expect((await readdir(folder)).filter((name) => name.startsWith('gone'))).toEqual([]);
  });
});

it('a stream of chunks without text is empty', async () => {
  await aJobWith('k5', []);
  await addChunks('k5', ['', '']);
  expect(await read('k5', null)).toEqual({ text: '', isJson: false, isEmpty: true });
});

it('no character is divided, wherever the parts end', async () => {
  const parts = fc.array(fc.constantFrom('a', '', '\u{1F300}', '\uD83C', '\uDF00', '\uD83C\uD83C'), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(parts, async (texts) => {
      async function* given(): AsyncGenerator<string> {
        yield* texts;
      }
      const whole: string[] = [];
      for await (const one of wholeCharacters(given())) whole.push(one);
      expect(whole.join('')).toBe(texts.join(''));
      const bytes = Buffer.concat(whole.map((part) => Buffer.from(part)));
      expect(bytes.equals(Buffer.from(texts.join('')))).toBe(true);
    }),
  );
});
