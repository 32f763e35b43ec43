import { describe, expect, it } from 'vitest';
import type { AboutRun } from '../../../../src-main/sandbox/workers/handler-protocol.ts';
import { ReportedFailure, type Handler } from '../../../../src-main/sandbox/workers/handlers/job.ts';
import { JobRun } from '../../../../src-main/sandbox/workers/job-run.ts';

/** What a handler's run posts; chunks are taken at once and only counted. */
async function runOf(
  handler: Handler,
  report: (thrown: unknown) => string = String,
): Promise<{ chunks: number; others: AboutRun[]; advice: string[] }> {
  const seen: { chunks: number; others: AboutRun[]; advice: string[] } = { chunks: 0, others: [], advice: [] };
  const run = new JobRun({
    handler,
    message: { type: 'run', runId: 1, jobId: 'j', submissionText: '{"input":{}}', timeScale: 1 },
    post: (message) => {
      if (message.type !== 'chunk') return void seen.others.push(message);
      seen.chunks += 1;
      run.take({ type: 'chunk-acknowledged', runId: 1 });
    },
    report: async (thrown) => report(thrown),
    advise: (sentence) => seen.advice.push(sentence),
    outputMaxLength: OUTPUT_MAX_LENGTH,
  });
  await run.begin();
  return seen;
}

/** In place of what the sandbox can hold. */
const OUTPUT_MAX_LENGTH = 1_000;
const yielded = 'x'.repeat(90);

describe('output that exceeds the sandbox’s limits', () => {
  it('fails the job that streams it, with a sentence', async () => {
    const { chunks, others } = await runOf(async function* () {
      for (;;) yield yielded;
    });
    expect(chunks).toBe(Math.floor(OUTPUT_MAX_LENGTH / (yielded.length + 2 + '{"output":,"metrics":},'.length)));
    expect(others).toEqual([
      {
        type: 'failed',
        runId: 1,
        error: expect.stringMatching(
          /^RangeError: The output of a job must not exceed 1000 characters as JSON, and with chunk 9 all that the handler yielded has more\.$/,
        ),
        outputJson: null,
      },
    ]);
  });

  it('replaces the error of a job that fails with it', async () => {
    const { others } = await runOf(() => {
      throw new ReportedFailure('mine', 'x'.repeat(OUTPUT_MAX_LENGTH));
    });
    expect(others).toEqual([
      {
        type: 'failed',
        runId: 1,
        error: expect.stringContaining('what the handler returned has more'),
        outputJson: null,
      },
    ]);
  });

  it('fails the job that returns it, and the call that shows it as progress', async () => {
    const much = 'x'.repeat(OUTPUT_MAX_LENGTH);
    expect((await runOf(() => much)).others).toEqual([
      {
        type: 'failed',
        runId: 1,
        error: expect.stringContaining('what the handler returned has more'),
        outputJson: null,
      },
    ]);
    const { others } = await runOf((job) => job.progress(much));
    expect(others).toEqual([
      {
        type: 'failed',
        runId: 1,
        error: expect.stringContaining('what job.progress was given has more'),
        outputJson: null,
      },
    ]);
  });
});

describe('progress', () => {
  it('is not queued while the server has not read it, and the latest arrives when it has', async () => {
    const posted: string[] = [];
    const gate = Promise.withResolvers<void>();
    const run = new JobRun({
      handler: async (job) => {
        for (let step = 1; step <= 10_000; step += 1) job.progress(step);
        await gate.promise;
      },
      message: { type: 'run', runId: 1, jobId: 'j', submissionText: '{"input":{}}', timeScale: 1 },
      post: (message) => {
        if (message.type === 'progress') posted.push(message.outputJson);
      },
      report: async (thrown) => String(thrown),
      advise: () => undefined,
    });
    const over = run.begin();
    expect(posted.length).toBeLessThan(1_000);
    expect(posted.slice(0, 3)).toEqual(['1', '2', '3']);
    for (let left = posted.length; left > 0; left -= 1) run.take({ type: 'progress-acknowledged', runId: 1 });
    expect(posted.at(-1)).toBe('10000');
    gate.resolve();
    await over;
  });
});

describe('an unreadable thrown value', () => {
  const unreadable = Object.defineProperty(new Error('hidden'), 'message', {
    get: () => {
      throw new Error('not to be read');
    },
  });

  it.each([
    ['with the reason', new Error('not to be read'), 'What the handler threw cannot be reported: not to be read.'],
    ['without it, if that cannot be read either', unreadable, 'What the handler threw cannot be reported.'],
  ])('fails the job, %s', async (_how, why, sentence) => {
    const thrown = new Error('thrown');
    const { others } = await runOf(
      () => Promise.reject(thrown),
      (value) => {
        if (value === thrown) throw why;
        return String(value);
      },
    );
    expect(others).toEqual([{ type: 'failed', runId: 1, error: `TypeError: ${sentence}`, outputJson: null }]);
  });
});

describe('output that JSON turns into something else', () => {
  it.each([
    ['NaN', Number.NaN, 'output is NaN, which JSON cannot hold: it was sent as null'],
    [
      'an infinity inside',
      { scores: [1, -Infinity] },
      'output.scores[1] is -Infinity, which JSON cannot hold: it was sent as null',
    ],
    ['a Map', { 'by id': new Map([[1, 2]]) }, 'output["by id"] is a Map, which JSON cannot hold: it was sent as {}'],
    ['a Set', [new Set([1])], 'output[0] is a Set, which JSON cannot hold: it was sent as {}'],
    ['an Error', new Error('x'), 'output is an Error, which JSON cannot hold: it was sent as {}'],
    ['a Promise', { a: Promise.resolve(1) }, 'output.a is a Promise, which JSON cannot hold: it was sent as {}'],
    ['a Response', [new Response('a')], 'output[0] is a Response, which JSON cannot hold: it was sent as {}'],
    ['a Blob', { file: new Blob(['a']) }, 'output.file is a Blob, which JSON cannot hold: it was sent as {}'],
    ['an ArrayBuffer', [new ArrayBuffer(2)], 'output[0] is an ArrayBuffer, which JSON cannot hold: it was sent as {}'],
    [
      'a Buffer',
      { image: Buffer.from('a') },
      'output.image is a Buffer, which JSON cannot hold: it was sent as a list of numbers; send text or base64',
    ],
    [
      'a typed array',
      new Float32Array(1),
      'output is a Float32Array, which JSON cannot hold: it was sent as numbered members; send a list or base64',
    ],
    ['a method', { a: 1, run: () => 1 }, 'output.run is a function, which JSON cannot hold: it was left out'],
    ['a listed symbol', [Symbol('s')], 'output[0] is a symbol, which JSON cannot hold: it was sent as null'],
  ])('is still sent, with a hint: %s', async (_name, value, clause) => {
    const returned = await runOf(() => value);
    expect(returned.others).toEqual([{ type: 'done', runId: 1, outputJson: JSON.stringify(value), isStreamed: false }]);
    expect(returned.advice).toEqual([`In what the handler returned: ${clause}.`]);
    const streamed = await runOf(async function* () {
      yield 'fine';
      yield value;
      yield value;
    });
    expect([streamed.chunks, streamed.advice]).toEqual([3, [`In what the handler yielded as chunk 2: ${clause}.`]]);
  });

  it('is not searched for in all of a large value that shows no trace of it', async () => {
    const large = [...Array.from({ length: 20_000 }, (_, n) => n), { run: () => 1, a: 1 }];
    expect((await runOf(() => large)).advice).toEqual([]);
  });

  it('includes a generator’s return value, which is not sent', async () => {
    const sentence = 'What the generator returned is not sent, because only what it yields is: yield it instead.';
    const late = await runOf(async function* () {
      yield 1;
      return 'all';
    });
    const plain = await runOf(function* () {
      yield 1;
      return 'all';
    });
    const sound = await runOf(async function* () {
      yield 1;
    });
    expect([late.chunks, late.advice, plain.advice, sound.advice]).toEqual([1, [sentence], [sentence], []]);
  });

  it('is not reported if there is none', async () => {
    const sound = [
      null,
      {},
      { a: null, b: { c: {} } },
      [undefined],
      'null {}',
      new Date(Number.NaN),
      { toJSON: () => null, n: Number.NaN },
    ];
    for (const value of sound) expect((await runOf(() => value)).advice).toEqual([]);
  });

  it('is not searched for if that would fail the job', async () => {
    let reads = 0;
    const trap = {
      none: null,
      get twice(): number {
        reads += 1;
        if (reads > 1) throw new Error('only once');
        return 1;
      },
    };
    expect((await runOf(() => trap)).others).toEqual([
      { type: 'done', runId: 1, outputJson: '{"none":null,"twice":1}', isStreamed: false },
    ]);
  });
});
