import { describe, expect, it } from 'vitest';
import type { Attempt, JobDetail } from '../../../../src-preload/job.ts';
import type { Here } from '../../../../src-renderer/data/allowed-here.ts';
import { rowActions } from '../../../../src-renderer/job/action-row.ts';
import { factGroups } from '../../../../src-renderer/job/fact-groups.ts';
import { outputCaption } from '../../../../src-renderer/job/output/output-caption.ts';
import { outputViews, promisesImages, readOutput, viewToShow } from '../../../../src-renderer/job/output-views.ts';
import { readTags } from '../../../../src-renderer/data/tags.ts';
import { StreamLog } from '../../../../src-renderer/stream/stream-log.ts';
import { acceptedAtMs, aJob, anAttempt } from './a-job.ts';
import { drained } from '../stream/drained.ts';

const none = {
  streamText: false,
  chunks: false,
  bodyText: false,
  images: false,
  imageLinks: false,
  fileLinks: false,
  files: false,
  transcript: false,
  body: false,
};

describe('the views of an output', () => {
  it('are those that exist, images first', () => {
    expect(outputViews(none)).toEqual([]);
    expect(outputViews({ ...none, chunks: true, streamText: true })).toEqual(['text', 'chunks', 'raw']);
    expect(outputViews({ ...none, chunks: true })).toEqual(['chunks', 'raw']);
    expect(outputViews({ ...none, transcript: true, bodyText: true, body: true })).toEqual([
      'transcript',
      'text',
      'raw',
    ]);
    expect(outputViews({ ...none, images: true, body: true })).toEqual(['images', 'raw']);
  });

  it('are led by the JSON if it only has the address of an image among other values', () => {
    expect(outputViews({ ...none, body: true, imageLinks: true, fileLinks: true })).toEqual(['raw', 'images', 'files']);
    expect(outputViews({ ...none, body: true, images: true, imageLinks: true })).toEqual(['images', 'raw']);
    const isOnlyLinks = (output: unknown) => drained(readOutput(JSON.stringify(output), false)).isOnlyLinks;
    const [png, zip] = ['https://x.example/a.png', 'https://x.example/a.zip'];
    for (const only of [png, [png, png], { images: [{ url: png }], archive: zip }])
      expect(isOnlyLinks(only)).toBe(true);
    for (const more of [{ url: png, users: [], n: 1 }, [png, 'a'], {}, 7, null]) expect(isOnlyLinks(more)).toBe(false);
  });

  it('keep the chosen one while it exists', () => {
    expect(viewToShow(['text', 'raw'], 'raw')).toBe('raw');
    expect(viewToShow(['text', 'raw'], 'images')).toBe('text');
    expect(viewToShow([], 'raw')).toBeNull();
  });

  it('read text from strings and known fields, and none from structure or images', () => {
    expect(drained(readOutput('"Hello"', false)).text).toBe('Hello');
    expect(drained(readOutput('{"text":["a","b"]}', false)).text).toBe('ab');
    expect(drained(readOutput('{"echo":{"x":1}}', false)).text).toBeNull();
    expect(drained(readOutput(`"data:image/png;base64,${'A'.repeat(80)}"`, false)).text).toBeNull();
    expect(drained(readOutput(`["Qk02AAAAAAAAADYAAAAoAAAA${'A'.repeat(80)}"]`, false)).text).toBeNull();
    expect(drained(readOutput('plain words', false)).text).toBe('plain words');
    expect(drained(readOutput('{"text":["cut', true))).toEqual({
      text: null,
      transcript: null,
      isOnlyLinks: false,
      listLength: null,
      images: { found: [], links: [], fileLinks: [], files: [], isCapped: false },
    });
  });

  it('expect images from an image endpoint or a beginning that looks like one', () => {
    expect(promisesImages('{"a":1', 'image')).toBe(true);
    expect(promisesImages('{"images":["iVBORw0KGgoAAAA', 'other')).toBe(true);
    expect(promisesImages('{"text":"iVBORw0KGgo is how a PNG begins"', 'text')).toBe(true);
    expect(promisesImages('{"image":"Qk02AAAAAAAAADYAAAAoAAAA', 'text')).toBe(true);
    expect(promisesImages(String.raw`{"result":"{\"image\":\"AAAAIGZ0eXBhdmlm`, 'text')).toBe(true);
    expect(promisesImages('{"a":1', 'text')).toBe(false);
    expect(promisesImages('{"text":"Qk1 is how a BMP begins"', 'text')).toBe(false);
  });
});

describe('the buttons of a job', () => {
  const here: Here = { connections: [{ id: 'c1', isSandbox: true }], isSandboxStopped: false };
  const ids = (over: Parameters<typeof aJob>[0]): string[] =>
    rowActions(aJob(over), acceptedAtMs, here).map(
      (action) => `${action.id}${action.variant === 'primary' ? '*' : ''}${action.reason === '' ? '' : '-'}`,
    );

  it('of an active job cancel it; retry is greyed', () => {
    expect(ids({})).toEqual(['cancel', 'resubmit-edits', 'curl', 'retry-']);
    expect(ids({ isCancelling: true })[0]).toBe('cancel-');
  });
  it('of a failed job retry it while the service still has it, otherwise resubmit', () => {
    expect(ids({ phase: 'finished', status: 'FAILED', retentionEndsAtMs: acceptedAtMs + 1 })).toEqual([
      'retry*',
      'resubmit-edits',
      'curl',
    ]);
    expect(ids({ phase: 'finished', status: 'FAILED', retentionEndsAtMs: acceptedAtMs })).toEqual([
      'resubmit-edits*',
      'curl',
      'retry-',
    ]);
  });
  it('of a job whose retry waits to be sent offer nothing else', () => {
    const failed = { phase: 'finished', status: 'FAILED', retryRequestedAtMs: acceptedAtMs } as const;
    expect(ids(failed)).toEqual(['resubmit-edits', 'curl', 'retry-']);
  });
  it('of a job whose stream is pending are those of an ended one; retry is greyed (ruling 36)', () => {
    const pendingStream = { sinceMs: 0, failures: 1, nextTryMs: 0, untilMs: 0, reason: '' };
    expect(ids({ status: 'FAILED', pendingStream })).toEqual(['resubmit-edits*', 'curl', 'retry-']);
    expect(ids({ status: 'COMPLETED', pendingStream })).toEqual(['run-again', 'resubmit-edits', 'curl']);
  });
  it('of a completed job run it again', () => {
    expect(ids({ phase: 'finished', status: 'COMPLETED' })).toEqual(['run-again', 'resubmit-edits', 'curl']);
  });
  it('of a cancelled job keep the greyed cancel visible', () => {
    expect(ids({ phase: 'finished', status: 'CANCELLED' })).toEqual(['run-again', 'resubmit-edits', 'cancel-']);
  });
  it('that send something need a connection to send it to', () => {
    const reasons = (connections: Here['connections']): string[] =>
      rowActions(aJob({ phase: 'finished', status: 'COMPLETED' }), acceptedAtMs, { ...here, connections }).map(
        ({ reason }) => reason,
      );
    expect(reasons([])).toEqual(Array(3).fill('Add a connection first'));
    // What is edited first can go to another connection.
    expect(reasons([{ id: 'other', isSandbox: false }])).toEqual([
      'Its connection was removed',
      '',
      'Its connection was removed',
    ]);
  });
  it('do not offer to cancel what a stopped sandbox has lost', () => {
    const [cancel] = rowActions(aJob(), acceptedAtMs, { ...here, isSandboxStopped: true });
    expect(cancel).toMatchObject({ id: 'cancel', reason: 'The sandbox is not running' });
  });
  it('never include two primary ones', () => {
    for (const status of ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED', 'RUNNING']) {
      for (const phase of ['active', 'finished'] as const)
        expect(
          rowActions(aJob({ phase, status }), acceptedAtMs, here).filter((action) => action.variant === 'primary')
            .length,
        ).toBeLessThanOrEqual(1);
    }
  });
});

const noGallery = { count: 0, at: 0, shown: () => undefined };

const detail = (over: Partial<JobDetail> = {}): JobDetail => ({
  job: aJob({ executionTimeMs: 6_420 }),
  attempts: [anAttempt()],
  webhook: null,
  waitMs: null,
  s3ProfileId: null,
  note: '',
  lineage: { origin: null, copies: [], sameInput: { jobs: [], total: 0 } },
  error: null,
  extraFields: {},
  ...over,
});

describe('the facts of a job', () => {
  it('show times as the service reported them, with its other fields', () => {
    const [reported] = factGroups(
      detail({ extraFields: { retries: 1, workerId: 'w1', output: 'x', region: { id: 'eu' } } }),
      anAttempt(),
      new StreamLog(),
    );
    expect(reported).toMatchObject({ id: 'reported' });
    expect(reported?.facts.map((fact) => [fact.name, fact.value])).toEqual([
      ['status', 'IN_PROGRESS'],
      ['delayTime', '1240'],
      ['executionTime', '6420'],
      ['workerId', 'w1'],
      ['retries', '1'],
      ['region', '{"id":"eu"}'],
    ]);
  });

  it('of a former attempt belong to that attempt', () => {
    const [reported] = factGroups(
      detail({ job: aJob({ attempt: 2 }), extraFields: { retries: 1 } }),
      anAttempt(),
      new StreamLog(),
    );
    expect(reported?.facts.map((fact) => fact.value)).toEqual(['FAILED', '660', '12800', 'w1']);
  });

  it('omit empty groups and say which limits are defaults', () => {
    const groups = factGroups(detail({ job: aJob({ policy: { ttl: 60_000 } }) }), null, new StreamLog());
    expect(groups.map((group) => group.id)).toEqual(['reported', 'submission', 'seen']);
    const submission = groups.find((group) => group.id === 'submission')?.facts ?? [];
    expect(submission.find((fact) => fact.name === 'ttl')).toEqual({ name: 'ttl', value: '1:00', isRaw: false });
    expect(submission.find((fact) => fact.name === 'executionTimeout')).toMatchObject({
      value: '10:00',
      note: 'default',
    });
  });

  it('count tokens and list the last metrics of a stream', () => {
    const log = new StreamLog();
    log.accept([
      {
        seq: 0,
        outputJson: '{"text":["a"],"input_tokens":12,"output_tokens":3}',
        metricsJson: '{"avg_gen_throughput":84.2,"scenario":"stream"}',
        receivedAtMs: 1,
      },
    ]);
    const groups = factGroups(detail(), null, log);
    expect(groups.find((group) => group.id === 'tokens')?.facts.map((fact) => fact.value)).toEqual([
      '12',
      '3',
      '1',
      '84.2 tokens/s',
    ]);
    expect(groups.find((group) => group.id === 'worker')?.facts.map((fact) => fact.name)).toEqual([
      'avg_gen_throughput',
      'scenario',
    ]);
  });
});

describe('the number of chunks', () => {
  it('is that of the saved ones, as above the output, while fewer are read', () => {
    const log = new StreamLog();
    log.accept([{ seq: 0, outputJson: '"a"', metricsJson: null, receivedAtMs: 1 }]);
    const chunksOf = (detailed: JobDetail, attempt: Attempt | null): string | undefined =>
      factGroups(detailed, attempt, log)
        .flatMap(({ facts }) => facts)
        .find(({ name }) => name === 'Chunks')?.value;
    const detailed = { ...detail(), job: aJob({ attempt: 2, chunkCount: 93 }) };
    expect(chunksOf(detailed, null)).toBe('93');
    expect(chunksOf(detailed, anAttempt({ number: 1, chunkCount: 40 }))).toBe('40');
    expect(chunksOf({ ...detailed, job: aJob({ chunkCount: 0 }) }, null)).toBe('1');
    expect(outputCaption('chunks', log, { kept: null, read: null, gallery: noGallery, chunkCount: 93 })).toEqual([
      '93 chunks',
    ]);
  });
});

describe('tags', () => {
  it('are read separated by commas, once each', () => {
    expect(readTags(' nightly, seed 7744,,nightly ')).toEqual({ tags: ['nightly', 'seed 7744'], problem: null });
    expect(readTags('')).toEqual({ tags: [], problem: null });
  });
  it('that are pasted are one line each, without characters that cannot be seen', () => {
    expect(readTags('\u0000, a\u0000b,c\t d,\u2028')).toEqual({ tags: ['a b', 'c d'], problem: null });
    expect(readTags('__proto__,constructor').tags).toEqual(['__proto__', 'constructor']);
  });
  it('that are too long or too many say so', () => {
    expect(readTags('x'.repeat(41)).problem).toContain('at most 40');
    expect(readTags(Array.from({ length: 21 }, (_value, index) => `t${index}`).join(',')).problem).toContain(
      'at most 20',
    );
  });
});
