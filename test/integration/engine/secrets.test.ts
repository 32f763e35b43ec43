import { readdir } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { emptyFilter } from '../../../src-preload/history.ts';
import type { CallInput, CallName } from '../../../src-preload/contract.ts';
import { podIncludes } from '../../../src-preload/pod.ts';
import { createFaultService } from '../../kit/fault-service.ts';
import type { FaultService } from '../../kit/fault-service.ts';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';
import type { App } from './app-scene.ts';
import { createSealing } from './sealing.ts';
import { filesHolding, holds } from '../../kit/secrets-in-files.ts';

afterEach(closeApps);
afterAll(removeAppFolders);

/** As a key may be: anything a header carries; long enough not to stand somewhere by chance. */
const apiKeys = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 16,
    maxLength: 60,
  })
  .filter((key) => !/^bearer/i.test(key));
const s3Secrets = fc
  .string({ unit: 'binary', minLength: 16, maxLength: 60 })
  .map((text) => text.toWellFormed())
  .filter((text) => text.trim() === text);

/** A service that repeats in its errors what it was asked with: the authorization header. */
async function startTattler(): Promise<FaultService> {
  const service = await createFaultService();
  service.otherwise({
    kind: 'answer',
    answer: ({ headers }) => ({
      status: 401,
      body: {
        error: `The key in ${headers.authorization} is not known`,
        seen: { authorization: headers.authorization },
      },
    }),
  });
  return service;
}

/** Everything a window can be answered in this scene. */
async function askEverything(
  app: App,
  of: { connectionId: string; profileId: string; keys: string[] },
): Promise<unknown[]> {
  const { connectionId } = of;
  const draft = {
    connectionId,
    endpointId: 'ep',
    operation: 'run' as const,
    inputText: '{"prompt":"x"}',
    s3ProfileId: of.profileId,
  };
  const answers: unknown[] = [];
  const ask = async <N extends CallName>(name: N, input: CallInput<N>): Promise<void> =>
    void answers.push(await app.call(name, input));
  await ask('app:info', undefined);
  await ask('connection:list', undefined);
  await ask('connection:check', { connectionId });
  await ask('s3:list', undefined);
  await ask('settings:get', undefined);
  await ask('tracker:state', undefined);
  await ask('health:latest', { connectionId });
  await ask('health:refresh', { connectionId });
  await ask('job:list', { filter: emptyFilter, beforeKey: null, limit: 100 });
  await ask('job:curl', { draft });
  for (const key of of.keys) {
    await ask('job:get', { key });
    await ask('job:requests', { key });
    await ask('job:draft', { key });
    await ask('job:curl', { key });
    for (const part of ['input', 'output', 'error', 'reply'] as const)
      await ask('job:body', { key, part, attempt: null, isWhole: true });
  }
  return answers;
}

describe('a secret', () => {
  it('is only ever sealed: not in an answer, an event, the log or any file', async () => {
    const tattler = await startTattler();
    await fc.assert(
      fc.asyncProperty(apiKeys, s3Secrets, async (apiKey, s3Secret) => {
        const secrets = [apiKey, s3Secret];
        const safeStorage = createSealing();
        const app = await openApp({ safeStorage });
        const answers: unknown[] = [];
        const { connection } = await app.answer('connection:save', {
          draft: {
            name: 'Service',
            baseUrl: tattler.url,
            restUrl: '',
            authorization: 'bearer',
            endpoints: [{ id: 'ep', label: '', flavour: 'other' }],
          },
          key: apiKey,
        });
        const profile = await app.answer('s3:save', {
          draft: { name: 'Results', accessId: 'AKIA', bucketName: 'b', endpointUrl: 'https://s3.example.test' },
          secret: s3Secret,
        });
        expect(connection.hasKey && profile.hasSecret).toBe(true);
        answers.push(connection, profile);
        // Refused with the key quoted; then taken, with the secret on the wire.
        const refused = await app.submit({
          connectionId: connection.id,
          endpointId: 'ep',
          s3ProfileId: profile.id,
          input: { prompt: 'x' },
        });
        const afterRefusal = await app.untilEnd(refused.key);
        expect(afterRefusal).toMatchObject({
          phase: 'refused',
          reason: { kind: 'refused', said: expect.stringContaining('[key]') },
        });
        const sent = tattler.requests.findLast(({ method }) => method === 'POST');
        expect(sent?.headers.authorization).toBe(`Bearer ${apiKey}`);
        expect(sent?.body).toContain(`"accessSecret":${JSON.stringify(s3Secret)}`);
        const { id, name, baseUrl, restUrl, authorization, endpoints } = connection;
        answers.push(
          refused,
          await app.call('connection:save', {
            draft: { id, name, baseUrl, restUrl, authorization, endpoints },
            key: `Bearer ${apiKey}`,
          }),
        );
        answers.push(
          ...(await askEverything(app, { connectionId: connection.id, profileId: profile.id, keys: [refused.key] })),
        );
        answers.push(await app.call('connection:check', { draft: { ...connection, name: 'Other' }, key: apiKey }));

        expect(answers.filter((answer) => secrets.some((secret) => holds(JSON.stringify(answer), secret)))).toEqual([]);
        expect(secrets.filter((secret) => holds(JSON.stringify(app.told), secret))).toEqual([]);
        expect(await readdir(app.dataDir)).toEqual(
          expect.arrayContaining(['history.db', 'history.db-wal', 'jobdeck.log', 'secrets']),
        );
        expect(await filesHolding(app.dataDir, secrets)).toEqual([]);
        await app.close();
        expect(await filesHolding(app.dataDir, secrets)).toEqual([]);

        // Sealed, not lost.
        const again = await openApp({ dataDir: app.dataDir, safeStorage });
        expect(await again.answer('connection:check', { connectionId: connection.id })).toMatchObject([
          { httpStatus: 401 },
        ]);
        expect(tattler.requests.at(-1)?.headers.authorization).toBe(`Bearer ${apiKey}`);
        await again.close();
      }),
      { numRuns: 4 },
    );
    await tattler.close();
  });
});

/**
 * As the input says: a service that repeats the whole request in what it answers to it. Its streams are empty, the rest
 * is 404.
 */
async function startEcho(): Promise<FaultService> {
  const service = await createFaultService();
  service.otherwise({
    kind: 'answer',
    answer: ({ method, path, headers, body }) => {
      if (path.includes('/stream/')) return { body: [] };
      if (method !== 'POST' || !/\/run(?:sync)?(?:\?|$)/.test(path))
        return { status: 404, body: { error: 'Not here' } };
      const request: unknown = JSON.parse(body);
      const quoted = { error: `Cannot take ${body} of ${headers.authorization}`, request, detail: [body] };
      if (body.includes('as a refusal')) return { status: 400, body: quoted };
      if (body.includes('as plain text')) return { status: 422, body: `No: ${body}` };
      if (body.includes('as a page'))
        return {
          status: 400,
          body: `<html><title>${body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}</title></html>`,
        };
      if (body.includes('as an error')) return { status: 500, body: quoted };
      if (body.includes('unreadably')) return { status: 200, body: `{"echo": ${body}, oops` };
      return {
        status: 200,
        body: { id: `job-${service.requests.length}`, status: 'FAILED', workerId: body, ...quoted },
      };
    },
  });
  return service;
}

describe('the S3 secret', () => {
  it('is nowhere even if the service repeats the whole request, whatever it answers', async () => {
    const echo = await startEcho();
    await fc.assert(
      fc.asyncProperty(apiKeys, s3Secrets, async (apiKey, s3Secret) => {
        const secrets = [apiKey, s3Secret];
        const app = await openApp({ safeStorage: createSealing() });
        const connection = await app.connect({ baseUrl: echo.url, apiKey, endpoints: ['ep'] });
        const profile = await app.answer('s3:save', {
          draft: { name: 'Results', accessId: 'AKIA', bucketName: 'b', endpointUrl: 'https://s3.example.test' },
          secret: s3Secret,
        });
        const keys: string[] = [];
        for (const operation of ['run', 'runsync'] as const) {
          for (const [prompt, phase] of [
            ['as a refusal', 'refused'],
            ['as plain text', 'refused'],
            ['as a page', 'outcome-unknown'],
            ['as an error', 'outcome-unknown'],
            ['unreadably', 'outcome-unknown'],
            ['as the record', 'finished'],
          ] as const) {
            const job = await app.submit({
              connectionId: connection.id,
              endpointId: 'ep',
              operation,
              s3ProfileId: profile.id,
              input: { prompt },
            });
            keys.push(job.key);
            expect([prompt, (await app.untilEnd(job.key)).phase]).toEqual([prompt, phase]);
            expect(echo.requests.findLast(({ method }) => method === 'POST')?.body).toContain(
              `"accessSecret":${JSON.stringify(s3Secret)}`,
            );
          }
        }
        // What it said is there, without them.
        expect(
          (await app.answer('job:body', { key: keys[0] ?? '', part: 'reply', attempt: null, isWhole: true })).text,
        ).toMatch(/AKIA.*\[secret\]/s);
        const answers = await askEverything(app, { connectionId: connection.id, profileId: profile.id, keys });
        expect(answers.filter((answer) => secrets.some((secret) => holds(JSON.stringify(answer), secret)))).toEqual([]);
        expect(secrets.filter((secret) => holds(JSON.stringify(app.told), secret))).toEqual([]);
        expect(await filesHolding(app.dataDir, secrets)).toEqual([]);
        await app.close();
        expect(await filesHolding(app.dataDir, secrets)).toEqual([]);
      }),
      { numRuns: 3 },
    );
    await echo.close();
  });
});

/** Variables as this and other services of the kind send them, with what repeats them around. */
function tattlingPod(secret: string, apiKey: string): Record<string, unknown> {
  const env = { HF_TOKEN: secret };
  return {
    id: 'pod-1',
    name: 'whisper',
    desiredStatus: 'RUNNING',
    env,
    templateId: 't1',
    seen: { authorization: `Bearer ${apiKey}` },
    [`X-${apiKey}`]: 1,
    template: { id: 't1', name: 'asr', imageName: 'atlas/asr:1', env: { HF_TOKEN: secret, MODE: '1' } },
    workers: [
      { id: 'w1', environment: [{ name: 'HF_TOKEN', value: secret }] },
      { id: 'w2', envVars: [`HF_TOKEN=${secret}`] },
      { id: 'w3', containerEnv: `HF_TOKEN=${secret}` },
    ],
    spec: JSON.stringify({ id: 'pod-1', env }),
    deeper: JSON.stringify({ spec: JSON.stringify({ env }) }),
    machine: { note: `started with HF_TOKEN=${secret}` },
    vcpuCount: { env },
    lastStatusChange: `Started with ${secret}`,
    dockerStartCmd: ['--token', secret],
  };
}

/** No update carries NUL. */
const values = s3Secrets.filter((text) => !text.includes('\0'));

describe('the value of a variable', () => {
  it('is only ever sealed, whatever a service does with it in pods, templates and errors', async () => {
    const service = await createFaultService();
    await fc.assert(
      fc.asyncProperty(apiKeys, values, values, async (apiKey, secret, unseen) => {
        const secrets = [apiKey, secret, unseen];
        const safeStorage = createSealing();
        const app = await openApp({ safeStorage });
        const answers: unknown[] = [];
        const draft = {
          name: 'Service',
          baseUrl: 'http://127.0.0.1:9',
          restUrl: service.url,
          authorization: 'bearer' as const,
          endpoints: [],
        };
        const {
          connection: { id: connectionId },
        } = await app.answer('connection:save', { draft, key: apiKey });
        const pod = { connectionId, podId: 'pod-1' };
        const include = [...podIncludes];
        const ask = async <N extends CallName>(name: N, input: CallInput<N>): Promise<void> =>
          void answers.push(await app.call(name, input));
        const sees = async (body: unknown, status = 200): Promise<void> => {
          service.otherwise({ kind: 'reply', status, body });
          await ask('pod:read', { ...pod, include });
        };
        await sees(tattlingPod(secret, apiKey));
        expect(await app.answer('pod:reveal', { ...pod, name: 'HF_TOKEN' })).toEqual({ value: secret });
        await sees({
          ...tattlingPod(secret, apiKey),
          spec: JSON.stringify({ env: { HF_TOKEN: secret, MORE: unseen } }),
          env: { HF_TOKEN: secret, MORE: unseen },
        });
        for (const name of ['pod:open', 'pod:list'] as const) await ask(name, pod);
        await ask('pod:curl', { ...pod, include });

        // What it quotes of a pod or template that was never seen stands where variables stand.
        const quoted = { env: { OTHER: unseen }, list: [{ environment: [unseen] }] };
        const errors: [number, unknown][] = [
          [400, { error: `HF_TOKEN=${secret} cannot be taken`, pod: quoted }],
          [500, { message: JSON.stringify(quoted) }],
          [422, { detail: `The pod with env: ${JSON.stringify(quoted)}` }],
          [404, `No pod with {"env":{"OTHER":${JSON.stringify(unseen)}}}`],
          [200, [quoted]],
          [200, `{"id":"x","env":{"OTHER":${JSON.stringify(unseen)}`],
          [200, { podEnv: { OTHER: unseen } }],
          [400, `<html><title>env OTHER=${encodeURIComponent(unseen)}</title></html>`],
        ];
        const t1 = { connectionId, templateId: 't1' };
        const t2 = { connectionId, templateId: 't2' };
        for (const [status, body] of errors) {
          await sees(body, status);
          const known = (await app.answer('template:view', t1)).known?.seq ?? null;
          expect(known).not.toBeNull();
          await ask('template:update', {
            ...t1,
            baseSeq: known,
            edits: {
              imageName: 'atlas/asr:2',
              env: [
                { name: 'HF_TOKEN', value: null },
                { name: 'NEW', value: unseen },
              ],
            },
            confirmedWith: 'asr',
          });
          await ask('template:update', {
            ...t2,
            baseSeq: null,
            edits: { imageName: 'atlas/asr:2' },
            confirmedWith: 't2',
          });
          for (const at of [t1, t2]) await ask('template:view', at);
        }
        expect(service.requests.findLast(({ path }) => path.includes('t1'))?.body).toContain(JSON.stringify(secret));
        await ask('template:list', { connectionId });
        await app.answer('template:saveDraft', {
          ...t1,
          draft: { baseSeq: 1, edits: { env: [{ name: 'NEW', value: unseen }] }, pastedEnv: `PASTED="${unseen}"` },
        });

        expect(answers.filter((answer) => secrets.some((each) => holds(JSON.stringify(answer), each)))).toEqual([]);
        expect(secrets.filter((each) => holds(JSON.stringify(app.told), each))).toEqual([]);
        expect(await filesHolding(app.dataDir, secrets)).toEqual([]);
        await app.close();
        expect(await filesHolding(app.dataDir, secrets)).toEqual([]);
      }),
      { numRuns: 4, endOnFailure: true },
    );
    await service.close();
  });

  it('that equals the key is saved unchanged, to be sent again', async () => {
    const service = await createFaultService();
    const apiKey = 'the-key-that-stands-in-env-too';
    const app = await openApp({ safeStorage: createSealing() });
    const draft = {
      name: 'Service',
      baseUrl: 'http://127.0.0.1:9',
      restUrl: service.url,
      authorization: 'bearer' as const,
      endpoints: [],
    };
    const {
      connection: { id: connectionId },
    } = await app.answer('connection:save', { draft, key: apiKey });
    const template = { id: 't1', name: 'asr', env: { API_KEY: apiKey }, isServerless: false };
    service.otherwise({ kind: 'reply', body: { id: 'p', env: { API_KEY: apiKey }, template, name: apiKey } });
    expect(
      (await app.answer('pod:read', { connectionId, podId: 'p', include: [] })).reading?.reply.pod.name,
    ).not.toContain(apiKey);
    expect(await app.answer('pod:reveal', { connectionId, podId: 'p', name: 'API_KEY' })).toEqual({ value: apiKey });
    service.otherwise({ kind: 'reply', body: { ...template, name: 'b' } });
    await app.answer('template:update', {
      connectionId,
      templateId: 't1',
      baseSeq: 1,
      edits: { name: 'b' },
      confirmedWith: null,
    });
    expect(await app.answer('template:reveal', { connectionId, templateId: 't1', seq: 2, name: 'API_KEY' })).toEqual({
      value: apiKey,
    });
    await service.close();
  });
});

describe('the search for traces', () => {
  it('finds existing ones', async () => {
    const app = await openApp();
    await app.answer('draft:save', { slot: 'composer', text: 'typed-by-a-person "é"' });
    expect(await filesHolding(app.dataDir, ['by-a-person "é"'])).toEqual(['history.db-wal']);
    for (const where of [
      'YnktYS1wZXJzb24tMDE=',
      'x: by-a-person-01',
      JSON.stringify({ is: Buffer.from('..by-a-person-01..').toString('base64') }),
    ])
      expect([where, holds(where, 'by-a-person-01')]).toEqual([where, true]);
    expect(holds('by-a-person-0', 'by-a-person-01')).toBe(false);
  });
});

describe('a key that cannot be sealed here', () => {
  it('is kept for the session, is reported so, and is on no disk', async () => {
    const key = 'a key of this session'.replaceAll(' ', '-');
    const app = await openApp();
    expect((await app.answer('app:info', undefined)).keyStorage).toMatchObject({
      kind: 'session',
      explanation: expect.stringContaining('until Jobdeck closes'),
    });
    const connection = await app.connect({ baseUrl: 'http://127.0.0.1:9', apiKey: key, endpoints: ['ep'] });
    expect(connection).toMatchObject({ hasKey: true, state: { kind: 'ready' } });
    await app.close();
    expect(await filesHolding(app.dataDir, [key])).toEqual([]);

    const again = await openApp({ dataDir: app.dataDir });
    expect(await again.answer('connection:list', undefined)).toMatchObject([
      { id: connection.id, hasKey: false, state: { kind: 'no-key' } },
    ]);
    expect(
      await again.call('job:submit', {
        connectionId: connection.id,
        endpointId: 'ep',
        operation: 'run',
        inputText: '{}',
      }),
    ).toMatchObject({ ok: false, failure: { kind: 'no-key', connectionId: connection.id } });
  });

  it('is no longer used once deleted', async () => {
    const service = await createFaultService();
    const app = await openApp({ safeStorage: createSealing() });
    const connection = await app.connect({ baseUrl: service.url, apiKey: 'soon-deleted-0123', endpoints: ['ep'] });
    await app.answer('connection:deleteKey', { connectionId: connection.id });
    expect(await app.untilConnection(connection.id, ({ hasKey }) => !hasKey)).toMatchObject({
      state: { kind: 'no-key' },
    });
    expect(await app.call('connection:check', { connectionId: connection.id })).toMatchObject({
      ok: false,
      failure: { kind: 'no-key' },
    });
    expect(await app.call('health:refresh', { connectionId: connection.id })).toMatchObject({
      ok: false,
      failure: { kind: 'no-key' },
    });
    expect(service.requests).toHaveLength(0);
    expect(await readdir(`${app.dataDir}/secrets`)).toEqual([]);
    await service.close();
  });
});
