import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Connection } from '../../../src-preload/connection.ts';
import type { SubmissionDraft } from '../../../src-preload/job.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { closeApps, listed, openApp, removeAppFolders } from './app-scene.ts';
import type { App } from './app-scene.ts';

let service: Sandbox;
let app: App;
let connection: Connection;
beforeAll(async () => {
  service = await startSandbox();
  app = await openApp();
  connection = await app.connect(service);
});
afterAll(async () => {
  await closeApps();
  await service.close();
  await removeAppFolders();
});

const draftOf = (changes: Partial<SubmissionDraft>): SubmissionDraft => ({
  connectionId: connection.id,
  endpointId: 'echo',
  operation: 'run',
  inputText: '{}',
  ...changes,
});
/** Bytes of a body: `{"input":{"text":"…"}}`. */
const inputOfBody = (bytes: number): string => `{"text":"${'a'.repeat(bytes - '{"input":{"text":""}}'.length)}"}`;

describe('an invalid submission', () => {
  it.each([
    {
      what: 'of JSON that breaks off',
      changes: { inputText: '{\n  "prompt": "x",\n  "n": ,\n}' },
      failure: {
        kind: 'refused',
        field: 'inputText',
        position: { line: 3, column: 8 },
        message: expect.stringMatching(/^Line 3, column 8: /),
      },
    },
    {
      what: 'of a value that is not an object',
      changes: { inputText: '  [1, 2]' },
      failure: {
        kind: 'refused',
        field: 'inputText',
        position: { line: 1, column: 3 },
        message: expect.stringContaining('a list'),
      },
    },
    {
      what: 'on an unknown connection',
      changes: { connectionId: 'nobody' },
      failure: { kind: 'absent', message: expect.stringContaining('connection was removed') },
    },
    {
      what: 'with an unknown S3 profile',
      changes: { s3ProfileId: 'nobody' },
      failure: { kind: 'absent', message: expect.stringContaining('profile was removed') },
    },
    {
      what: 'with an invalid webhook address',
      changes: { webhook: 'example.test/hook' },
      failure: { kind: 'refused', field: 'webhook' },
    },
    {
      what: 'with a ttl out of bounds',
      changes: { policy: { ttl: 1 } },
      failure: { kind: 'refused', field: 'policy.ttl' },
    },
    {
      what: 'of 10 MB by run',
      changes: { inputText: inputOfBody(10_000_000) },
      failure: {
        kind: 'too-large',
        message: expect.stringMatching(/10,000,000 bytes.*at most 10 MB.*runsync/),
        mayHaveArrived: false,
      },
    },
    {
      what: 'of 20 MB by runsync',
      changes: { operation: 'runsync' as const, inputText: inputOfBody(20_400_000) },
      failure: { kind: 'too-large', message: expect.stringContaining('20.4 MB') },
    },
  ])('$what is answered with its problem, sends nothing and saves nothing', async ({ changes, failure }) => {
    expect(await app.call('job:submit', draftOf(changes))).toMatchObject({ ok: false, failure });
    expect((await listed(app)).allTotal).toBe(0);
    expect(service.requests()).toEqual([]);
  });

  it('of just under 10 MB is sent', async () => {
    const job = await app.submit(draftOf({ inputText: inputOfBody(9_999_999) }));
    expect(await app.untilEnd(job.key)).toMatchObject({
      status: 'COMPLETED',
      inputBytes: 9_999_999 - '{"input":}'.length,
    });
  });

  it('to an endpoint that does not exist is refused by the service, and says so', async () => {
    const job = await app.submit(draftOf({ endpointId: 'nowhere' }));
    expect(await app.untilEnd(job.key)).toMatchObject({
      phase: 'refused',
      jobId: null,
      reason: { kind: 'refused', said: 'No endpoint nowhere here.' },
    });
    expect(await app.answer('job:body', { key: job.key, part: 'reply', attempt: null, isWhole: true })).toMatchObject({
      text: '{"error":"No endpoint nowhere here."}',
    });
    expect(await app.answer('job:requests', { key: job.key })).toMatchObject([
      { operation: 'run', httpStatus: 404, failureKind: 'not-found' },
    ]);
  });
});

describe('a saved job', () => {
  const typed = '{ "big": 12345678901234567890, "z": 1.0, "a": "it\'s" }';
  const whole: Partial<SubmissionDraft> = {
    operation: 'runsync',
    inputText: typed,
    waitMs: 20_000,
    policy: { ttl: 60_000, lowPriority: true },
    webhook: 'http://127.0.0.1:9/hook',
    title: 'Named by me',
    tags: ['one', 'two'],
  };

  it('is submitted again unchanged, as a job of its own', async () => {
    const first = await app.submit(draftOf(whole));
    await app.untilEnd(first.key);
    const second = await app.answer('job:resubmit', { key: first.key });
    expect(second).toMatchObject({
      title: 'Named by me',
      tags: ['one', 'two'],
      operation: 'runsync',
      policy: { ttl: 60_000, lowPriority: true },
    });
    const ended = await app.untilEnd(second.key);
    expect(ended.key).not.toBe(first.key);
    expect(ended).toMatchObject({ status: 'COMPLETED' });
    for (const key of [first.key, second.key]) {
      expect(await app.answer('job:draft', { key })).toEqual({ ...draftOf(whole), originKey: key });
      expect(await app.answer('job:body', { key, part: 'input', attempt: null, isWhole: true })).toMatchObject({
        text: typed,
      });
      expect(await app.answer('job:get', { key })).toMatchObject({
        webhook: 'http://127.0.0.1:9/hook',
        waitMs: 20_000,
      });
    }
    expect((await app.answer('job:requests', { key: second.key }))[0]?.path).toBe('/v2/echo/runsync?wait=20000');
  });

  it('has a title made from its input, and a new one when the input changes', async () => {
    const job = await app.submit(draftOf({ inputText: '{"prompt":"Write a haiku"}' }));
    expect(job.title).toBe('Write a haiku');
    const draft = await app.answer('job:draft', { key: job.key });
    expect(draft).not.toHaveProperty('title');
    expect(await app.answer('job:submit', { ...draft, inputText: '{"prompt":"Write a limerick"}' })).toMatchObject({
      title: 'Write a limerick',
    });
  });

  it('becomes a curl command that does the same, and contains no key and no secret', async () => {
    const profile = await app.answer('s3:save', {
      draft: { name: 'Results', accessId: 'AKIA', bucketName: 'results', endpointUrl: 'https://s3.example.test' },
      secret: 's3-secret-0123456789',
    });
    const job = await app.submit(draftOf({ ...whole, s3ProfileId: profile.id }));
    await app.untilEnd(job.key);
    const { command } = await app.answer('job:curl', { key: job.key });
    expect(command).toContain(`'${service.baseUrl}/v2/echo/runsync?wait=20000'`);
    expect(command).toContain('-H "authorization: Bearer $JOBDECK_KEY"');
    expect(command).toContain('"accessSecret":"\'"$JOBDECK_S3_SECRET"\'"');
    expect(command).toContain('{ "big": 12345678901234567890, "z": 1.0, "a": "it\'\\\'\'s" }');
    for (const secret of [service.apiKey, 's3-secret-0123456789']) expect(command).not.toContain(secret);
    expect(await app.answer('job:curl', { draft: await app.answer('job:draft', { key: job.key }) })).toEqual({
      command,
    });

    await app.answer('s3:remove', { id: profile.id });
    expect(await app.call('job:curl', { key: job.key })).toMatchObject({
      ok: false,
      failure: { kind: 'absent', message: expect.stringContaining('S3 profile') },
    });
    expect(await app.call('job:resubmit', { key: job.key })).toMatchObject({ ok: false, failure: { kind: 'absent' } });
  });

  it('without its S3 secret is not sent, and says which', async () => {
    const profile = await app.answer('s3:save', {
      draft: { name: 'No secret yet', accessId: 'AKIA', bucketName: 'b', endpointUrl: '' },
    });
    expect(await app.call('job:submit', draftOf({ s3ProfileId: profile.id }))).toMatchObject({
      ok: false,
      failure: {
        kind: 'refused',
        field: 's3ProfileId',
        message: expect.stringContaining('"No secret yet" has no secret'),
      },
    });
  });

  it('stays after its connection is removed', async () => {
    const other = await app.connect(service);
    const job = await app.submit(draftOf({ connectionId: other.id, inputText: '{"kept":true}' }));
    await app.untilEnd(job.key);
    await app.answer('connection:remove', { connectionId: other.id });
    expect(await app.answer('job:body', { key: job.key, part: 'output', attempt: null, isWhole: true })).toMatchObject({
      text: '{"kept":true}',
    });
    for (const name of ['job:resubmit', 'job:curl'] as const)
      expect(await app.call(name, { key: job.key })).toMatchObject({
        ok: false,
        failure: { kind: 'absent', message: expect.stringContaining('connection was removed') },
      });
    expect(await app.answer('job:draft', { key: job.key })).toMatchObject({ connectionId: other.id });
  });
});
