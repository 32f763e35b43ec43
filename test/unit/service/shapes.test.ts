import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failed } from '../../../src-preload/failure.ts';
import {
  numberOf,
  readHealth,
  readJobRecord,
  readPurge,
  type AskedJob,
  type Fields,
  type Parsed,
} from '../../../src-main/service/shapes.ts';
import { readObject } from '../../../src-main/service/resource-shapes.ts';
import { streamIn } from './read-texts.ts';

const asked = { id: 'asked', status: null } as const;

function of<T>(raw: string, shape: (fields: Fields) => Parsed<T>): Parsed<T> {
  const fields = readObject(raw);
  return fields.ok ? shape(fields.value) : failed(fields.failure);
}

const recordOf = (raw: string, asked: AskedJob): ReturnType<typeof readJobRecord> =>
  of(raw, (fields) => readJobRecord(fields, asked));

function record(raw: string): Extract<ReturnType<typeof readJobRecord>, { ok: true }>['value'] {
  const read = recordOf(raw, { id: null, status: null });
  if (!read.ok) throw new Error(read.failure);
  return read.value;
}

describe('job records of the field notes', () => {
  it.each([
    [
      '{"delayTime":15088,"executionTime":60,"id":"04f01223-4aa2-40df-bdab-37e5caa43cbe-u1","output":"Hello World","status":"COMPLETED","workerId":"uhbbfre73gqjwh"}',
      {
        id: '04f01223-4aa2-40df-bdab-37e5caa43cbe-u1',
        status: 'COMPLETED',
        outputJson: '"Hello World"',
        errorText: null,
        delayTimeMs: 15_088,
        executionTimeMs: 60,
        workerId: 'uhbbfre73gqjwh',
        extraJson: null,
      },
    ],
    [
      '{"delayTime":100,"executionTime":1571,"id":"1c0cdba2-e2","status":"COMPLETED","workerId":"1awbdsmhschpqw"}',
      { status: 'COMPLETED', outputJson: null, executionTimeMs: 1_571 },
    ],
    [
      '{"delayTime":106401,"executionTime":4491,"id":"c395fafc-e1","output":"discrete_diarization;None;None","status":"IN_PROGRESS"}',
      { status: 'IN_PROGRESS', outputJson: '"discrete_diarization;None;None"', workerId: null },
    ],
    [
      '{"delayTime":101050,"error":"job timed out after 1 retries","executionTime":42078,"id":"bd9227e3-u1","retries":1,"status":"FAILED","workerId":"z3jr9rv2k3tt2y"}',
      { status: 'FAILED', errorText: 'job timed out after 1 retries', extraJson: '{"retries":1}', outputJson: null },
    ],
    [
      '{"id":"sync-6f9286ab-e2","status":"FAILED","delayTime":3383,"executionTime":4651,"error":"Total pixels (262144) must be between 589824 and 2073600.","output":{"status":"failed"}}',
      {
        id: 'sync-6f9286ab-e2',
        errorText: 'Total pixels (262144) must be between 589824 and 2073600.',
        outputJson: '{"status":"failed"}',
      },
    ],
    [
      '{"id":"724907fe-u1","status":"CANCELLED"}',
      { id: '724907fe-u1', status: 'CANCELLED', delayTimeMs: null, executionTimeMs: null },
    ],
    [
      '{"delayTime":9533,"executionTime":88,"id":"d7c6aa87-u1","input":{"x":1},"output":{"echo":{"x":1}},"status":"COMPLETED","webhook":"https://example.test/hook"}',
      { outputJson: '{"echo":{"x":1}}', extraJson: '{"input":{"x":1},"webhook":"https://example.test/hook"}' },
    ],
  ])('%s', (raw, expected) => {
    expect(record(raw)).toMatchObject({ ...expected, raw });
  });
});

describe('a job record with surprises', () => {
  it.each(['RUNNING', 'ERROR', 'in_progress', 'a new one'])(
    'keeps the unknown status %s verbatim (ruling 8)',
    (status) => {
      expect(record(JSON.stringify({ id: 'a', status })).status).toBe(status);
    },
  );

  it('distinguishes an absent output from one that is null', () => {
    expect(record('{"id":"a","status":"COMPLETED"}').outputJson).toBeNull();
    expect(record('{"id":"a","status":"COMPLETED","output":null}').outputJson).toBe('null');
  });

  it('keeps the text of an error that is an object, and treats a null error as none', () => {
    expect(record('{"id":"a","status":"FAILED","error":{"code": 12345678901234567890}}').errorText).toBe(
      '{"code": 12345678901234567890}',
    );
    expect(record('{"id":"a","status":"FAILED","error":null}').errorText).toBeNull();
  });

  it('reads times sent as text and skips invalid ones', () => {
    expect(record('{"id":"a","status":"COMPLETED","delayTime":"15","executionTime":"soon"}')).toMatchObject({
      delayTimeMs: 15,
      executionTimeMs: null,
    });
  });

  it('keeps a time that is no duration among the unlisted fields, and never as a time', () => {
    const odd = record('{"id":"a","status":"COMPLETED","delayTime":-1e300,"executionTime":1e300,"x":1}');
    expect(odd).toMatchObject({ delayTimeMs: null, executionTimeMs: null });
    expect(odd.extraJson).toBe('{"delayTime":-1e300,"executionTime":1e300,"x":1}');
    const none = record('{"id":"a","status":"COMPLETED","delayTime":null,"executionTime":604800000}');
    expect(none).toMatchObject({ delayTimeMs: null, executionTimeMs: 604_800_000, extraJson: null });
  });

  it('uses the requested id if only the status came, and a queued status if only the id came on a submission', () => {
    expect(recordOf('{"status":"COMPLETED"}', asked)).toMatchObject({ ok: true, value: { id: 'asked' } });
    expect(recordOf('{"id":"new"}', { id: null, status: 'IN_QUEUE' })).toMatchObject({
      ok: true,
      value: { id: 'new', status: 'IN_QUEUE' },
    });
    expect(recordOf('{"id":7,"status":"IN_QUEUE"}', { id: null, status: 'IN_QUEUE' })).toMatchObject({
      ok: true,
      value: { id: '7' },
    });
  });

  it.each(['9007199254740993', '12345678901234567890', '-7', '0'])('keeps every digit of the numeric id %s', (id) => {
    expect(record(`{"id": ${id} ,"status":"IN_QUEUE"}`).id).toBe(id);
    expect(recordOf(`{"id":${id},"status":"COMPLETED"}`, { id, status: null }).ok).toBe(true);
  });

  it.each([
    ['{"status":"IN_QUEUE"}', { id: null, status: 'IN_QUEUE' }, 'has no id'],
    ['{"id":"asked"}', asked, 'has no status'],
    ['{"id":"other","status":"COMPLETED"}', asked, 'is about another job (other)'],
    ['{}', asked, 'has neither an id nor a status'],
    ['[]', asked, 'is not a JSON object'],
    ['null', asked, 'is not a JSON object'],
    ['', asked, 'is empty'],
    ['{"id":', asked, 'is not JSON'],
    ['<html><title>Sign in</title>', asked, 'is a web page, not JSON'],
  ])('refuses %s', (raw, of, why) => {
    expect(recordOf(raw, of)).toEqual({ ok: false, failure: why });
  });

  it('keeps a field called __proto__ as a field', () => {
    const { extraJson } = record('{"id":"a","status":"COMPLETED","__proto__":{"isAdmin":true}}');
    expect(extraJson).toBe('{"__proto__":{"isAdmin":true}}');
  });

  it('never throws, whatever comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc
            .record({ id: fc.anything(), status: fc.anything(), output: fc.anything() })
            .map((value) => JSON.stringify(value)),
        ),
        async (raw) => {
          const whys = [recordOf(raw, asked), await streamIn(raw), of(raw, readHealth), of(raw, readPurge)].map(
            (read) => (read.ok ? 'is read' : read.failure),
          );
          for (const why of whys) expect(why).toMatch(/^(is|has|does) /);
        },
      ),
    );
  });
});

describe('outputs stay unchanged', () => {
  it.each([
    '12345678901234567890',
    '[9007199254740993, 1.0, 1e400, -0]',
    '{"b": 1, "a": 2, "b": 3}',
    '"\\u00e9 \\" \\\\"',
    ' {"x" : [ ] } ',
  ])('%s', (output) => {
    expect(record(`{ "id" : "a" , "status":"COMPLETED", "output" : ${output} , "workerId":"w"}`).outputJson).toBe(
      output.trim(),
    );
  });

  it('cuts out exactly the member that JSON.parse reads, for any JSON around it', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(undefined, 1, '\t'),
        (output, others, indent) => {
          const raw = JSON.stringify({ ...others, id: 'a', status: 'COMPLETED', output }, null, indent);
          expect(JSON.parse(record(raw).outputJson ?? '')).toEqual(JSON.parse(JSON.stringify(output)));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('streams', () => {
  it.each([
    ['{"status":"IN_QUEUE","stream":[]}', { status: 'IN_QUEUE', chunks: [] }],
    [
      '{"status":"IN_PROGRESS","stream":[{"output":{"index":2,"word":"a"}},{"output":{"index":3,"word":"runpod"}}]}',
      {
        status: 'IN_PROGRESS',
        chunks: [
          { outputJson: '{"index":2,"word":"a"}', metricsJson: null },
          { outputJson: '{"index":3,"word":"runpod"}', metricsJson: null },
        ],
      },
    ],
    [
      '{"status":"COMPLETED","stream":[{"output":{"index":6,"word":"works"}}]}',
      { status: 'COMPLETED', chunks: [{ outputJson: '{"index":6,"word":"works"}', metricsJson: null }] },
    ],
    ['[]', { status: null, chunks: [] }],
    [
      '[{"metrics":{"stream_index":0,"scenario":"stream"},"output":{"text":["Hi"],"input_tokens":0}}]',
      {
        status: null,
        chunks: [
          { outputJson: '{"text":["Hi"],"input_tokens":0}', metricsJson: '{"stream_index":0,"scenario":"stream"}' },
        ],
      },
    ],
    ['{"output":"alone"}', { status: null, chunks: [{ outputJson: '"alone"', metricsJson: null }] }],
    [
      '{"status":"COMPLETED","stream":{"output":1}}',
      { status: 'COMPLETED', chunks: [{ outputJson: '1', metricsJson: null }] },
    ],
    ['{"status":"IN_QUEUE","stream":null}', { status: 'IN_QUEUE', chunks: [] }],
    ['{"status":"IN_QUEUE"}', { status: 'IN_QUEUE', chunks: [] }],
    ['{"id":"a","status":"COMPLETED","output":"result"}', { status: 'COMPLETED', chunks: [] }],
    [
      '["a", 1, null, {"text":"b"}, [2]]',
      {
        status: null,
        chunks: ['"a"', '1', 'null', '{"text":"b"}', '[2]'].map((outputJson) => ({ outputJson, metricsJson: null })),
      },
    ],
  ])('%s (ruling 1)', async (raw, expected) => {
    expect(await streamIn(raw)).toEqual({ ok: true, value: expected });
  });

  it('keeps two equal chunks of one reply, and big numbers in them', async () => {
    const chunk = '{"output":{"id": 12345678901234567890}}';
    expect(await streamIn(`[${chunk},${chunk}]`)).toMatchObject({
      ok: true,
      value: {
        chunks: [{ outputJson: '{"id": 12345678901234567890}' }, { outputJson: '{"id": 12345678901234567890}' }],
      },
    });
  });

  it('keeps fields beside output and metrics with the metrics, because the server has deleted them', async () => {
    expect(
      await streamIn(
        '[{"output":1,"index":4,"metrics":{"running":2}},{"output":2,"index":5},{"output":3,"index":6,"metrics":"busy"}]',
      ),
    ).toMatchObject({
      ok: true,
      value: {
        chunks: [
          { metricsJson: '{"index":4,"running":2}' },
          { metricsJson: '{"index":5}' },
          { metricsJson: '{"index":6,"metrics":"busy"}' },
        ],
      },
    });
  });

  it.each([
    ['"text"', 'is neither an array of chunks nor an object'],
    ['{"foo":1}', 'has no stream'],
    ['', 'is empty'],
  ])('refuses %s', async (raw, why) => {
    expect(await streamIn(raw)).toEqual({ ok: false, failure: why });
  });

  it('reads as many chunks as the array has, in order, in both formats', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), async (outputs) => {
        const array = JSON.stringify(outputs.map((output) => ({ output })));
        for (const raw of [array, `{"status":"IN_PROGRESS","stream":${array}}`]) {
          const read = await streamIn(raw);
          expect(read.ok && read.value.chunks.map((chunk) => JSON.parse(chunk.outputJson))).toEqual(
            JSON.parse(JSON.stringify(outputs)),
          );
        }
      }),
    );
  });
});

describe('health and purge', () => {
  it('reads the live reply with the six worker counts (ruling 27)', () => {
    expect(
      of(
        '{"jobs":{"completed":31,"failed":1,"inProgress":0,"inQueue":0,"retried":1},"workers":{"idle":1,"initializing":0,"ready":1,"running":1,"throttled":0,"unhealthy":0}}',
        readHealth,
      ),
    ).toEqual({
      ok: true,
      value: {
        jobs: { completed: 31, failed: 1, inProgress: 0, inQueue: 0, retried: 1 },
        workers: { idle: 1, initializing: 0, ready: 1, running: 1, throttled: 0, unhealthy: 0 },
        extra: {},
      },
    });
  });

  it('reads each counter by its name', () => {
    const jobs = { completed: 1, failed: 2, inProgress: 3, inQueue: 4, retried: 5 };
    const workers = { idle: 6, initializing: 7, ready: 8, running: 9, throttled: 10, unhealthy: 11 };
    expect(of(JSON.stringify({ jobs, workers }), readHealth)).toEqual({
      ok: true,
      value: { jobs, workers, extra: {} },
    });
  });

  it('reads missing counters as 0, skips the optional ones and keeps unknown ones', () => {
    expect(of('{"jobs":{"inQueue":"3","paused":2},"region":"EU"}', readHealth)).toEqual({
      ok: true,
      value: {
        jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 3, retried: 0 },
        workers: { idle: 0, running: 0 },
        extra: { region: 'EU', 'jobs.paused': 2 },
      },
    });
    expect(of('{"workers":{"running":4,"booting":1}}', readHealth)).toMatchObject({
      ok: true,
      value: { workers: { idle: 0, running: 4 }, extra: { 'workers.booting': 1 } },
    });
  });

  it.each(['{}', '{"jobs":3,"workers":null}', '{"status":"ok"}'])('refuses %s', (raw) => {
    expect(of(raw, readHealth)).toEqual({ ok: false, failure: 'has neither jobs nor workers' });
  });

  it('reads a purge, and refuses one without a count', () => {
    expect(of('{"removed":2,"status":"completed"}', readPurge)).toEqual({
      ok: true,
      value: { removed: 2, status: 'completed' },
    });
    expect(of('{"removed":"0"}', readPurge)).toEqual({ ok: true, value: { removed: 0, status: '' } });
    expect(of('{"status":"completed"}', readPurge).ok).toBe(false);
  });

  it.each([
    ['0.74', 0.74],
    [' 12 ', 12],
    ['1e3', 1_000],
    ['.5', 0.5],
    ['', null],
    ['12 GB', null],
    ['0x10', null],
    ['Infinity', null],
    [true, null],
    [null, null],
    [Number.NaN, null],
  ])('reads the number in %j', (value, expected) => {
    expect(numberOf(value)).toBe(expected);
  });
});
