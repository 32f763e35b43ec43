import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../src-preload/connection.ts';
import { hiddenValue } from '../../../src-preload/pod-reading.ts';
import { podIncludes } from '../../../src-preload/pod.ts';
import { createFaultService } from '../../kit/fault-service.ts';
import type { Fault, FaultService } from '../../kit/fault-service.ts';
import { TEST_API_KEY, startSandbox } from '../../kit/sandbox.ts';
import { closeApps, openApp, removeAppFolders } from '../engine/app-scene.ts';
import type { App, AppOptions } from '../engine/app-scene.ts';
import { createSealing } from '../engine/sealing.ts';
import { filesHolding, holds } from '../../kit/secrets-in-files.ts';

const services: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await closeApps();
  for (const service of services.splice(0)) await service.close();
});
afterAll(removeAppFolders);

const secret = 'hf_9Qw8-very-secret-0042';
const pod = {
  id: 'p7d2kx40nqa1we',
  name: 'whisper',
  desiredStatus: 'RUNNING',
  costPerHr: '6.48',
  adjustedCostPerHr: 4.86,
  env: { HF_TOKEN: secret, MODE: 'offline' },
  ports: ['22/tcp', '6006/http'],
  portMappings: { 22: 10_341, 6006: 10_342 },
  publicIp: '203.0.113.47',
  template: { id: 't1', name: 'asr', env: { T_TOKEN: `${secret}-t` } },
  workers: [{ id: 'w1', env: { W_TOKEN: `${secret}-w` } }],
  machine: { gpuAvailable: 4 },
};

async function connectTo(app: App, restUrl: string): Promise<Connection> {
  const draft = {
    name: 'Production',
    baseUrl: 'http://127.0.0.1:9',
    restUrl,
    authorization: 'bare' as const,
    endpoints: [],
  };
  return (await app.answer('connection:save', { draft, key: TEST_API_KEY })).connection;
}

/** An app with a connection to a service that answers as given; `of` names the pod in it. */
async function scene(
  first: Fault,
  options: AppOptions = {},
): Promise<{ app: App; service: FaultService; of: { connectionId: string; podId: string } }> {
  const service = await createFaultService();
  services.push(service);
  service.otherwise(first);
  const app = await openApp({ isSandboxAllowed: false, ...options });
  const { id } = await connectTo(app, service.url);
  return { app, service, of: { connectionId: id, podId: pod.id } };
}

const reply = (body: unknown): Fault => ({ kind: 'reply', body });

describe.each(['spec', 'observed'] as const)('every pod of the sandbox, dialect %s', (dialect) => {
  it('is read with every flag, saved, and reported', async () => {
    const sandbox = await startSandbox({ dialect });
    services.push(sandbox);
    const app = await openApp({ isSandboxAllowed: false });
    const { id: connectionId } = await connectTo(app, sandbox.restUrl);
    for (const podId of sandbox.pods) {
      const known = await app.answer('pod:read', { connectionId, podId, include: [...podIncludes] });
      const { reply: read, path, httpStatus } = known.reading ?? {};
      expect([httpStatus, path]).toEqual([
        200,
        `/v1/pods/${podId}?${podIncludes.map((flag) => `${flag}=true`).join('&')}`,
      ]);
      expect(read?.oddFields).toEqual([]);
      expect(read?.extra).toEqual({});
      expect(typeof read?.pod.costPerHr).toBe('number');
      expect(read?.workersJson).not.toBeNull();
      expect(Object.values(read?.pod.env ?? {}).every((value) => value === hiddenValue)).toBe(true);
      const [name] = Object.keys(read?.pod.env ?? {});
      if (name !== undefined)
        expect((await app.answer('pod:reveal', { connectionId, podId, name })).value).not.toBe(hiddenValue);
    }
    const listed = await app.answer('pod:list', { connectionId });
    expect(listed.map(({ podId }) => podId).sort()).toEqual([...sandbox.pods].sort());
    expect(app.told['pod:changed'].at(-1)).toEqual({ connectionId, pods: listed });
  });
});

describe('env values', () => {
  it('are only ever sealed: not in an answer, an event, the log or any file; and are shown on request, even after a restart', async () => {
    const safeStorage = createSealing();
    const { app, of } = await scene(reply(pod), { safeStorage });
    const answers = [
      await app.answer('pod:read', { ...of, include: [...podIncludes] }),
      await app.answer('pod:read', { ...of, include: [] }),
      await app.answer('pod:open', of),
      await app.answer('pod:list', { connectionId: null }),
      await app.answer('pod:curl', { ...of, include: [...podIncludes] }),
    ];
    expect(holds(JSON.stringify([answers, app.told]), secret)).toBe(false);
    expect(await app.answer('pod:reveal', { ...of, name: 'HF_TOKEN' })).toEqual({ value: secret });
    expect(await app.engine.pods.envValue(of.connectionId, of.podId, 'MODE')).toEqual({ ok: true, value: 'offline' });
    for (const name of ['GONE', 'toString', '__proto__', 'T_TOKEN'])
      expect(await app.call('pod:reveal', { ...of, name })).toMatchObject({ ok: false, failure: { kind: 'absent' } });
    await app.close();
    expect(await filesHolding(app.dataDir, [secret])).toEqual([]);

    const again = await openApp({ isSandboxAllowed: false, dataDir: app.dataDir, safeStorage });
    expect(await again.answer('pod:open', of)).toMatchObject({
      hasValues: true,
      reading: { reply: { pod: { env: { HF_TOKEN: hiddenValue } } } },
    });
    expect(await again.answer('pod:reveal', { ...of, name: 'HF_TOKEN' })).toEqual({ value: secret });
  });

  it('sealed for a former session are gone with it, and that is reported', async () => {
    const { app, of } = await scene(reply(pod));
    await app.answer('pod:read', { ...of, include: [] });
    await app.close();
    const again = await openApp({ isSandboxAllowed: false, dataDir: app.dataDir });
    expect(await again.answer('pod:open', of)).toMatchObject({
      hasValues: false,
      reading: { reply: { pod: { name: 'whisper' } } },
    });
    expect(await again.call('pod:reveal', { ...of, name: 'HF_TOKEN' })).toMatchObject({
      ok: false,
      failure: { kind: 'absent', message: expect.stringContaining('earlier session') },
    });
  });

  it('stay hidden if a reply cannot be read', async () => {
    const { app, of } = await scene({ kind: 'truncated', body: JSON.stringify(pod).slice(0, 190) });
    const broken = await app.call('pod:read', { ...of, include: [] });
    expect(broken).toMatchObject({ ok: false, failure: { kind: 'network' } });
    expect(holds(JSON.stringify(broken), secret)).toBe(false);
    const { app: other, of: there } = await scene(reply([pod]));
    const listed = await other.call('pod:read', { ...there, include: [] });
    expect(listed).toMatchObject({ ok: false, failure: { kind: 'malformed' } });
    expect(holds(JSON.stringify(listed), secret)).toBe(false);
    expect(holds(await other.log(), secret)).toBe(false);
  });
});

describe('the next check', () => {
  it('reports changes since the previous read, env by name, even over a restart', async () => {
    const safeStorage = createSealing();
    const { app, service, of } = await scene(reply(pod), { safeStorage });
    expect((await app.answer('pod:read', { ...of, include: ['includeMachine'] })).changes).toBeNull();
    await app.close();
    service.otherwise(
      reply({ ...pod, env: { HF_TOKEN: 'another-secret', NEW: 'x' }, publicIp: null, machine: { gpuAvailable: 2 } }),
    );
    const again = await openApp({ isSandboxAllowed: false, dataDir: app.dataDir, safeStorage });
    expect((await again.answer('pod:read', { ...of, include: [] })).changes?.changes).toEqual([
      { field: 'env.HF_TOKEN', kind: 'changed', from: null, to: null },
      { field: 'env.NEW', kind: 'added', from: null, to: null },
      { field: 'env.MODE', kind: 'removed', from: null, to: null },
      { field: 'publicIp', kind: 'changed', from: '"203.0.113.47"', to: 'null' },
      { field: 'machine.gpuAvailable', kind: 'changed', from: '4', to: '2' },
    ]);
    expect((await again.answer('pod:read', { ...of, include: [] })).changes?.changes).toEqual([]);
  });
});

describe('a failed read', () => {
  it('leaves the known data, with its age', async () => {
    const { app, service, of } = await scene(reply(pod));
    const { reading } = await app.answer('pod:read', { ...of, include: [] });
    const faults: [Fault, object][] = [
      [
        { kind: 'reply', status: 401, body: { error: 'bad token' } },
        { kind: 'unauthorized', httpStatus: 401, serviceSaid: 'bad token' },
      ],
      [
        { kind: 'reply', status: 403, body: { message: 'not yours' } },
        { kind: 'unauthorized', httpStatus: 403, serviceSaid: 'not yours' },
      ],
      [
        { kind: 'reply', status: 404, body: { error: 'pod not found', status: 404 } },
        { kind: 'not-found', serviceSaid: 'pod not found' },
      ],
      [
        { kind: 'reply', status: 404, body: { message: 'Pod not found' } },
        { kind: 'not-found', serviceSaid: 'Pod not found' },
      ],
      [
        {
          kind: 'reply',
          status: 404,
          body: { detail: 'pod not found', status: 404, title: 'Not Found' },
          contentType: 'application/problem+json',
        },
        { kind: 'not-found', serviceSaid: 'pod not found' },
      ],
      [
        { kind: 'reply', status: 502, body: '<html><title>Bad gateway</title></html>', contentType: 'text/html' },
        { kind: 'server', httpStatus: 502 },
      ],
      [{ kind: 'reply', body: 'no json' }, { kind: 'malformed' }],
      [{ kind: 'reply', body: { hello: 'there' } }, { kind: 'malformed' }],
      [{ kind: 'reset' }, { kind: 'network' }],
    ];
    for (const [fault, failure] of faults) {
      service.otherwise(fault);
      expect([fault, await app.call('pod:read', { ...of, include: [] })]).toEqual([
        fault,
        { ok: false, failure: expect.objectContaining({ message: expect.stringMatching(/\.$/), ...failure }) },
      ]);
    }
    expect((await app.answer('pod:open', of)).reading).toEqual(reading);
    // A refused key of the management interface says nothing about the queue's.
    expect((await app.answer('connection:list', undefined))[0]?.state.kind).toBe('ready');
  });

  it('of 429 blocks the whole interface as long as requested, and nothing is sent in between', async () => {
    const { app, service, of } = await scene({
      kind: 'reply',
      status: 429,
      body: { error: 'slow down' },
      headers: { 'retry-after': '600' },
    });
    expect(await app.call('pod:read', { ...of, include: [] })).toMatchObject({
      ok: false,
      failure: { kind: 'rate-limited', httpStatus: 429, retryAfterMs: 600_000 },
    });
    service.otherwise(reply(pod));
    const held = await app.call('pod:read', { ...of, podId: 'another', include: [] });
    expect(held).toMatchObject({ ok: false, failure: { kind: 'rate-limited', mayHaveArrived: false } });
    expect(service.requests).toHaveLength(1);
  });

  it('happens at most sixty times a minute (ruling 20)', async () => {
    const { app, service, of } = await scene(reply(pod), {
      clock: { now: () => 1_700_000_000_000, after: () => ({ cancel: () => undefined }) },
    });
    for (let at = 0; at < 60; at += 1) await app.answer('pod:read', { ...of, include: [] });
    expect(await app.call('pod:read', { ...of, include: [] })).toMatchObject({
      ok: false,
      failure: { kind: 'rate-limited', retryAfterMs: 60_000 },
    });
    expect(service.requests).toHaveLength(60);
  });

  it('a reply with only the id, unusual forms and unlisted fields is read', async () => {
    const { app, service, of } = await scene(reply({ id: pod.id }));
    expect((await app.answer('pod:read', { ...of, include: [...podIncludes] })).reading?.reply).toMatchObject({
      pod: { id: pod.id },
      workersJson: null,
      oddFields: [],
    });
    service.otherwise(
      reply({
        name: 7,
        locked: 'perhaps',
        memoryInGb: '62',
        env: ['A=secret-in-a-list'],
        ports: '22/tcp',
        gpu: { count: 'two' },
        newField: { a: 1 },
      }),
    );
    const { reading, hasValues } = await app.answer('pod:read', { ...of, include: [] });
    expect(reading?.reply.pod).toEqual({ id: pod.id, name: '7', memoryInGb: 62, gpu: {} });
    expect(reading?.reply.oddFields.toSorted()).toEqual(['env', 'gpu.count', 'locked', 'ports']);
    expect(reading?.reply.extra).toEqual({ newField: { a: 1 } });
    expect(reading?.reply.raw).not.toContain('secret-in-a-list');
    expect(hasValues).toBe(true);
  });
});

describe('before anything is sent', () => {
  it('bad ids are refused at the field', async () => {
    const { app, service, of } = await scene(reply(pod));
    for (const podId of ['', '   ', 'a b', 'a/b', '../x', '..', 'x'.repeat(192), 'a?b']) {
      for (const name of ['pod:open', 'pod:read'] as const)
        expect(await app.call(name, { ...of, podId, include: [] })).toMatchObject({
          ok: false,
          failure: { kind: 'refused', field: 'podId' },
        });
    }
    expect(service.requests).toHaveLength(0);
    await app.answer('pod:read', { ...of, podId: ` ${pod.id}\n`, include: [] });
    expect(service.requests[0]?.path).toBe(`/v1/pods/${pod.id}`);
    expect(service.requests[0]?.headers.authorization).toBe(`Bearer ${TEST_API_KEY}`);
  });

  it('a connection without a REST URL, without a key, or a stopped sandbox is reported', async () => {
    const app = await openApp();
    const without = await connectTo(app, '');
    expect(await app.call('pod:read', { connectionId: without.id, podId: 'p', include: [] })).toMatchObject({
      ok: false,
      failure: { kind: 'invalid', message: expect.stringContaining('REST URL') },
    });
    expect(await app.call('pod:curl', { connectionId: without.id, podId: 'p', include: [] })).toMatchObject({
      ok: false,
      failure: { kind: 'refused' },
    });
    await app.answer('connection:deleteKey', { connectionId: without.id });
    expect(await app.call('pod:read', { connectionId: without.id, podId: 'p', include: [] })).toMatchObject({
      ok: false,
      failure: { kind: 'no-key' },
    });
    const sandbox = await app.answer('connection:openSandbox', undefined);
    await app.answer('sandbox:stop', undefined);
    expect(await app.call('pod:read', { connectionId: sandbox.id, podId: 'p', include: [] })).toMatchObject({
      ok: false,
      failure: { kind: 'refused', message: expect.stringContaining('not running') },
    });
  });
});

describe('remembered pods', () => {
  it('are pinned, deleted, and removed with their connection', async () => {
    const { app, of } = await scene({
      kind: 'answer',
      answer: ({ path }) => ({ body: { ...pod, id: path.split('/').at(-1) } }),
    });
    expect(await app.call('pod:pin', { ...of, isPinned: true })).toMatchObject({
      ok: false,
      failure: { kind: 'absent' },
    });
    for (const podId of ['one', 'two']) await app.answer('pod:read', { ...of, podId, include: [] });
    await app.answer('pod:pin', { ...of, podId: 'one', isPinned: true });
    await app.answer('pod:open', { ...of, podId: 'one' });
    expect((await app.answer('pod:list', of)).map(({ podId, isPinned }) => [podId, isPinned])).toEqual([
      ['one', true],
      ['two', false],
    ]);
    // A read keeps the pin.
    await app.answer('pod:read', { ...of, podId: 'one', include: [] });
    await app.answer('pod:forget', { ...of, podId: 'two' });
    expect((await app.answer('pod:list', of)).map(({ podId, isPinned }) => [podId, isPinned])).toEqual([['one', true]]);
    await app.answer('connection:remove', of);
    await app.untilEvent('pod:changed', ({ pods }) => pods.length === 0);
    expect(await app.answer('pod:list', { connectionId: null })).toEqual([]);
  });

  it('include a hundred unpinned ones; the one opened longest ago is removed first', async () => {
    const { app, of } = await scene(
      { kind: 'answer', answer: ({ path }) => ({ body: { id: path.split('/').at(-1), name: 'n' } }) },
      {
        clock: {
          now: (() => {
            let nowMs = 1_700_000_000_000;
            return () => (nowMs += 1_100);
          })(),
          after: () => ({ cancel: () => undefined }),
        },
      },
    );
    await app.answer('pod:read', { ...of, podId: 'pinned', include: [] });
    await app.answer('pod:pin', { ...of, podId: 'pinned', isPinned: true });
    for (let at = 0; at < 101; at += 1) await app.answer('pod:read', { ...of, podId: `p${at}`, include: [] });
    const listed = (await app.answer('pod:list', of)).map(({ podId }) => podId);
    expect(listed).toHaveLength(101);
    expect(listed).toContain('pinned');
    expect(listed).not.toContain('p0');
  });

  it('return the one address that may be opened, and the command to read them', async () => {
    const { app, service, of } = await scene(reply(pod));
    await app.answer('pod:read', { ...of, include: [] });
    expect(await app.engine.pods.browsableAddress(of.connectionId, of.podId, 6006)).toEqual({
      ok: true,
      value: 'http://203.0.113.47:10342',
    });
    for (const port of [22, 8888])
      expect(await app.engine.pods.browsableAddress(of.connectionId, of.podId, port)).toMatchObject({
        ok: false,
        failure: { kind: 'refused' },
      });
    expect((await app.answer('pod:curl', { ...of, include: ['includeWorkers', 'includeMachine'] })).command).toBe(
      `curl '${service.url}/v1/pods/${pod.id}?includeMachine=true&includeWorkers=true' \\\n  -H ` +
        `"authorization: Bearer $JOBDECK_KEY" \\\n  -H 'accept: application/json'`,
    );
  });
});

describe('a connection removed while a reply is on its way', () => {
  it('leaves nothing behind', async () => {
    const safeStorage = createSealing();
    const {
      app,
      service,
      of: { connectionId, podId },
    } = await scene(reply(pod), { safeStorage });
    await app.answer('pod:read', { connectionId, podId, include: [] });
    const gate = Promise.withResolvers<null>();
    service.otherwise({ kind: 'held', until: gate.promise, body: { ...pod, ...pod.template } });
    const reads = [
      app.call('pod:read', { connectionId, podId: 'another', include: [] }),
      app.call('template:update', {
        connectionId,
        templateId: 't1',
        baseSeq: 1,
        edits: { name: 'b' },
        confirmedWith: 'asr',
      }),
    ];
    await service.received(2);
    await app.answer('connection:remove', { connectionId });
    await app.untilSeen(() => app.told['pod:changed'].some(({ pods }) => pods.length === 0));
    gate.resolve(null);
    expect(await Promise.all(reads)).toMatchObject([
      { ok: false, failure: { message: expect.stringContaining('removed') } },
      { ok: false },
    ]);
    expect(await app.answer('pod:list', { connectionId: null })).toEqual([]);
    expect(await app.answer('template:list', { connectionId })).toEqual([]);
  });
});

describe('a pod that is read', () => {
  it('stays forgotten if it was forgotten meanwhile, with its values', async () => {
    const answered = Promise.withResolvers<void>();
    const { app, service, of } = await scene(reply(pod));
    await app.answer('pod:read', { ...of, include: [] });
    service.otherwise({ kind: 'held', until: answered.promise, body: pod });
    const reading = app.call('pod:read', { ...of, include: [] });
    await service.received(1);
    await app.answer('pod:forget', of);
    answered.resolve();
    expect(await reading).toMatchObject({ ok: false, failure: { kind: 'absent' } });
    expect(await app.answer('pod:list', { connectionId: of.connectionId })).toEqual([]);
    service.otherwise(reply(pod));
    expect((await app.answer('pod:read', { ...of, include: [] })).reading).not.toBeNull();
  });
});
