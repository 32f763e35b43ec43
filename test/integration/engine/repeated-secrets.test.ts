import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { emptyFilter } from '../../../src-preload/history.ts';
import { createScriptedService } from '../job/scripted-service.ts';
import type { ScriptedService } from '../job/scripted-service.ts';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';
import type { App } from './app-scene.ts';
import { createSealing } from './sealing.ts';
import { filesHolding, holds } from '../../kit/secrets-in-files.ts';

afterEach(closeApps);
afterAll(removeAppFolders);

const apiKey = 'rpa_4Jx7/Qm"2Zk9+Lw';
const s3Secret = 'wJalrXUtnFEMI/K7MDENG\\bPxRfiCY"KEY';
const hfToken = 'hf_8sKqWmZ2vLxR71';
const secrets = [apiKey, s3Secret, hfToken];

/**
 * A service that repeats what it was sent, in every reply about the job: as values, names, JSON in texts, and with a
 * variable of its worker.
 */
async function startRepeater(): Promise<ScriptedService> {
  let sent = '';
  const repeated = (authorization: string | undefined): Record<string, unknown> => ({
    was: JSON.parse(sent),
    text: `from ${authorization} with ${sent}`,
    [`${authorization}`]: [sent, encodeURIComponent(s3Secret)],
    environ: `HF_TOKEN=${hfToken}`,
  });
  const record =
    (status: string) =>
    ({ headers: { authorization } }: { headers: { authorization?: string | undefined } }) => ({
      body: { id: 'job-1', status, output: repeated(authorization), seen: repeated(authorization), workerId: sent },
    });
  const service = await createScriptedService({
    run: [
      (request) => {
        sent = request.body;
        return record('IN_QUEUE')(request);
      },
    ],
    status: [record('IN_PROGRESS')],
    stream: [
      ({ headers }) => ({
        body: {
          status: 'IN_PROGRESS',
          stream: [{ output: repeated(headers.authorization), metrics: repeated(headers.authorization) }],
        },
      }),
      { body: [] },
    ],
    health: [
      ({ headers }) => ({ body: { jobs: { inProgress: 1 }, workers: { running: 1 }, note: headers.authorization } }),
    ],
    cancel: [record('CANCELLED')],
    retry: [record('IN_QUEUE')],
  });
  return service;
}

interface Scene {
  app: App;
  service: ScriptedService;
  connectionId: string;
  profileId: string;
}

async function openScene(): Promise<Scene> {
  const service = await startRepeater();
  const app = await openApp({ safeStorage: createSealing() });
  const connection = await app.connect({ baseUrl: service.url, apiKey, endpoints: ['ep'] });
  const profile = await app.answer('s3:save', {
    draft: { name: 'Results', accessId: 'AKIA', bucketName: 'b', endpointUrl: 'https://s3.example.test' },
    secret: s3Secret,
  });
  return { app, service, connectionId: connection.id, profileId: profile.id };
}

/** Everything saved and shown of a job, and every event. */
async function everythingOf(app: App, key: string): Promise<string> {
  const answers: unknown[] = [
    await app.answer('job:get', { key }),
    await app.answer('job:requests', { key }),
    await app.answer('job:curl', { key }),
    await app.chunks(key),
    app.told,
    await app.log(),
  ];
  answers.push(
    await app.answer('job:list', { filter: { ...emptyFilter, text: 'wJalrXUtnFEMI' }, beforeKey: null, limit: 10 }),
  );
  for (const part of ['input', 'output', 'error', 'reply'] as const)
    answers.push(await app.call('job:body', { key, part, attempt: null, isWhole: true }));
  return JSON.stringify(answers);
}

async function expectNoTrace(app: App, key: string): Promise<void> {
  const shown = await everythingOf(app, key);
  expect(secrets.filter((secret) => holds(shown, secret))).toEqual([]);
  expect(await filesHolding(app.dataDir, secrets)).toEqual([]);
}

describe('a service that repeats the request in its reply about a job', () => {
  it('does not bring the key, the S3 secret or a secret variable into the history, and the rest of the result is unchanged', async () => {
    const { app, service, connectionId, profileId } = await openScene();
    const restUrl = service.url;
    const draft = {
      id: connectionId,
      name: 'Service',
      baseUrl: service.url,
      restUrl,
      authorization: 'bearer' as const,
      endpoints: [{ id: 'ep', label: '', flavour: 'other' as const }],
    };
    await app.answer('connection:save', { draft });
    service.next({ kind: 'reply', body: { id: 'pod-1', env: { HF_TOKEN: hfToken, MODEL: 'mistralai/Mistral-7B' } } });
    await app.answer('pod:read', { connectionId, podId: 'pod-1', include: [] });

    const job = await app.submit({
      connectionId,
      endpointId: 'ep',
      s3ProfileId: profileId,
      input: { prompt: 'mistralai/Mistral-7B' },
    });
    await app.answer('job:watch', { openKey: job.key, rowKeys: [] });
    await app.untilJob(job.key, ({ chunkCount }) => chunkCount > 0);
    service.script({
      status: [
        ({ headers: { authorization }, path }) => ({
          body: {
            id: 'job-1',
            status: 'COMPLETED',
            output: [authorization, s3Secret, hfToken, { path, big: 1.5, model: 'mistralai/Mistral-7B' }],
          },
        }),
      ],
      stream: [{ body: [] }],
    });
    expect(await app.untilEnd(job.key)).toMatchObject({ status: 'COMPLETED', isResultSaved: true });

    const output = await app.answer('job:body', { key: job.key, part: 'output', attempt: null, isWhole: true });
    expect(JSON.parse(output.text)).toEqual([
      'Bearer [key]',
      '[secret]',
      '[secret]',
      { path: '/v2/ep/status/job-1', big: 1.5, model: 'mistralai/Mistral-7B' },
    ]);
    const [chunk] = await app.chunks(job.key);
    expect(JSON.parse(chunk?.outputJson ?? '')).toMatchObject({
      was: { input: { prompt: 'mistralai/Mistral-7B' }, s3Config: { accessId: 'AKIA', accessSecret: '[secret]' } },
      'Bearer [key]': [expect.stringContaining('[secret]'), '[secret]'],
      environ: 'HF_TOKEN=[secret]',
    });
    // The job says so.
    expect((await app.answer('job:requests', { key: job.key })).map(({ note }) => note)).toContainEqual(
      expect.stringContaining('it repeated a key or secret, hidden in 3 places'),
    );
    await expectNoTrace(app, job.key);
    await app.close();
    expect(await filesHolding(app.dataDir, secrets)).toEqual([]);
    await service.close();
  });

  it('brings no secret into a run that never sent it: after a restart, with the job tracked again', async () => {
    const service = await startRepeater();
    const safeStorage = createSealing();
    const first = await openApp({ safeStorage });
    const connection = await first.connect({ baseUrl: service.url, apiKey, endpoints: ['ep'] });
    const profile = await first.answer('s3:save', {
      draft: { name: 'Results', accessId: 'AKIA', bucketName: 'b', endpointUrl: 'https://s3.example.test' },
      secret: s3Secret,
    });
    const { key } = await first.submit({
      connectionId: connection.id,
      endpointId: 'ep',
      s3ProfileId: profile.id,
      input: {},
    });
    await first.untilJob(key, ({ status }) => status === 'IN_PROGRESS');
    await first.close();

    service.script({
      status: [
        ({ headers: { authorization } }) => ({
          body: {
            id: 'job-1',
            status: 'FAILED',
            error: JSON.stringify({ error_message: `${authorization} and ${s3Secret}` }),
            output: { was: s3Secret },
          },
        }),
      ],
      stream: [{ body: [] }],
    });
    const again = await openApp({ dataDir: first.dataDir, safeStorage });
    expect(await again.untilEnd(key)).toMatchObject({
      status: 'FAILED',
      reason: { kind: 'failed', said: 'Bearer [key] and [secret]' },
    });
    const shown = await everythingOf(again, key);
    expect([apiKey, s3Secret].filter((secret) => holds(shown, secret))).toEqual([]);
    expect(await filesHolding(again.dataDir, [apiKey, s3Secret])).toEqual([]);
    await service.close();
  });

  it('does not bring in a key that was replaced since', async () => {
    const { app, service, connectionId } = await openScene();
    const job = await app.submit({ connectionId, endpointId: 'ep', input: {} });
    await app.untilJob(job.key, ({ status }) => status === 'IN_PROGRESS');
    await app.replaceKey(connectionId, 'the-key-that-follows-0123');
    service.script({
      status: [{ body: { id: 'job-1', status: 'COMPLETED', output: { submittedBy: apiKey } } }],
      stream: [{ body: [] }],
    });
    await app.untilEnd(job.key);
    expect((await app.answer('job:body', { key: job.key, part: 'output', attempt: null, isWhole: true })).text).toMatch(
      /^\{"submittedBy":"\[(?:secret|key)\]"\}$/,
    );
    expect(await filesHolding(app.dataDir, [apiKey])).toEqual([]);
    await service.close();
  });

  it('does not break the repair of a stream when the key is replaced: the placeholder is the same before and after', async () => {
    const { app, service, connectionId } = await openScene();
    service.script({
      status: [{ body: { id: 'job-1', status: 'IN_PROGRESS' } }],
      stream: [
        { body: { status: 'IN_PROGRESS', stream: [{ output: `Bearer ${apiKey}` }, { output: 'two' }] } },
        { body: [] },
      ],
    });
    const job = await app.submit({ connectionId, endpointId: 'ep', input: {} });
    await app.answer('job:watch', { openKey: job.key, rowKeys: [] });
    await app.untilJob(job.key, ({ chunkCount }) => chunkCount === 2);
    await app.replaceKey(connectionId, 'the-key-that-follows-0123');
    service.script({
      status: [{ body: { id: 'job-1', status: 'COMPLETED', output: [`Bearer ${apiKey}`, 'two', 'never received'] } }],
      stream: [{ body: [] }],
    });
    await app.untilEnd(job.key);
    expect((await app.chunks(job.key)).map(({ outputJson }) => outputJson)).toEqual([
      '"Bearer [key]"',
      '"two"',
      '"never received"',
    ]);
    await service.close();
  });

  it('brings no secret into the export of a batch', async () => {
    const { app, service, connectionId, profileId } = await openScene();
    const submission = await app.answer('batch:submit', {
      name: 'Rows',
      inputs: ['{"a": 1}'],
      draft: { connectionId, endpointId: 'ep', operation: 'run', s3ProfileId: profileId },
    });
    if (submission.kind !== 'accepted') throw new Error('The rows were refused.');
    service.script({
      status: [
        ({ headers: { authorization } }) => ({
          body: { id: 'job-1', status: 'COMPLETED', output: { authorization, s3Secret } },
        }),
      ],
      stream: [{ body: [] }],
    });
    await app.untilEvent('job:changed', ({ batches }) => batches.some(({ counts }) => counts.completed === 1));
    const exported = await app.answer('job:export', {
      source: { kind: 'batch', id: submission.batch.id },
      format: 'ndjson',
    });
    const file = await readFile(exported?.path ?? '', 'utf8');
    expect(file).toContain('"output":{"authorization":"Bearer [key]","s3Secret":"[secret]"}');
    expect([apiKey, s3Secret].filter((secret) => holds(file, secret))).toEqual([]);
    await service.close();
  });
});
