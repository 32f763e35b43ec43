import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { podIncludes } from '../../../src-preload/pod.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../../src-main/sandbox/sandbox-options.ts';
import { createManagementApi } from '../../../src-main/service/management-api.ts';
import { createVirtualClock, startSandbox } from '../../kit/sandbox.ts';
import { createCaller } from './caller.ts';

const SCALING = { minWorkers: 0, maxWorkers: 2, coldStartMs: 0, idleTimeoutMs: 1e9 };
const ENDPOINTS = ['echo', 'mock'].map((id) => ({ id, handler: { builtIn: id }, ...SCALING }));

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

const open: Sandbox[] = [];
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close();
});

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ endpoints: ENDPOINTS, ...options });
  open.push(sandbox);
  return sandbox;
}

async function ask({ restUrl, apiKey }: Sandbox, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${restUrl}/v1/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${apiKey}`, ...init.headers },
  });
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  const body: Record<string, unknown> = JSON.parse(await response.text());
  return { status: response.status, body };
}

function update(sandbox: Sandbox, templateId: string, body: unknown): Promise<Answer> {
  return ask(sandbox, `templates/${templateId}/update`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** The template of the sandbox's endpoint of this name. */
function templateOf(sandbox: Sandbox, endpointId: string): string {
  return sandbox.templates[sandbox.endpoints.indexOf(endpointId)] ?? '';
}

/** The endpoint's workers as the listing of includeWorkers shows them. */
async function workersOf(sandbox: Sandbox, endpointId: string): Promise<Record<string, unknown>[]> {
  const { body } = await ask(sandbox, `pods/${sandbox.pods[0]}?includeWorkers=true`);
  const workers: Record<string, unknown>[] = Array.isArray(body['workers']) ? body['workers'] : [];
  return workers.filter((worker) => worker['endpointId'] === endpointId);
}

/** Asks until the worker is gone, and gives the endpoint's workers that are there then. */
async function workersWithout(
  sandbox: Sandbox,
  endpointId: string,
  goneId: unknown,
): Promise<Record<string, unknown>[]> {
  for (;;) {
    const workers = await workersOf(sandbox, endpointId);
    if (workers.length > 0 && workers.every(({ id }) => id !== goneId)) return workers;
  }
}

describe('the management interface over HTTP', () => {
  it('accepts the key as Bearer only (ruling 4)', async () => {
    const sandbox = await start();
    const path = `pods/${sandbox.pods[0]}`;
    expect((await ask(sandbox, path)).status).toBe(200);
    for (const authorization of [sandbox.apiKey, 'Bearer other', `Basic ${sandbox.apiKey}`, '']) {
      expect(await ask(sandbox, path, { headers: { authorization } })).toMatchObject({
        status: 401,
        body: { error: expect.any(String) },
      });
    }
    const unauthorized = await ask(sandbox, `templates/${sandbox.templates[0]}/update`, {
      method: 'POST',
      body: '{}',
      headers: { authorization: sandbox.apiKey },
    });
    expect(unauthorized.status).toBe(401);
  });

  it('answers 404 for unknown resources, 400 for a wrong method', async () => {
    const sandbox = await start();
    for (const path of [
      '',
      'pods',
      'pods/nobody',
      'pods/a%2Fb',
      'pods/%ff',
      'templates',
      `templates/${sandbox.templates[0]}`,
      'endpoints/echo',
    ]) {
      expect({ path, ...(await ask(sandbox, path)) }).toEqual({
        path,
        status: 404,
        body: { error: expect.stringMatching(/^[A-Z][^.]*\.$/) },
      });
    }
    expect((await update(sandbox, 'nobody', {})).status).toBe(404);
    expect((await ask(sandbox, `pods/${sandbox.pods[0]}`, { method: 'POST' })).status).toBe(400);
    expect((await ask(sandbox, `templates/${sandbox.templates[0]}/update`)).status).toBe(400);
    expect((await ask(sandbox, `pods/${sandbox.pods[0]}?includeMachine=1`)).status).toBe(400);
  });

  it.each(['spec', 'observed'] as const)(
    'is read by the app without an unusual field, in the dialect %s',
    async (dialect) => {
      const sandbox = await start({ dialect, templateOmitted: 'keep' });
      await createCaller(sandbox).runsync('echo', {});
      const api = createManagementApi(
        {
          baseUrl: sandbox.baseUrl,
          restUrl: sandbox.restUrl,
          authorization: 'bare',
          readKey: () => Promise.resolve(sandbox.apiKey),
        },
        { now: Date.now },
      );
      const [worker] = await workersOf(sandbox, 'echo');
      for (const podId of [...sandbox.pods, String(worker?.['id'])]) {
        const { result } = await api.getPod(podId, podIncludes);
        expect(result).toMatchObject({
          ok: true,
          value: {
            pod: { id: podId, costPerHr: expect.any(Number) },
            oddFields: [],
            extra: {},
            workersJson: expect.stringContaining('"endpointId":"echo"'),
          },
        });
      }
      for (const templateId of sandbox.templates) {
        const { result } = await api.updateTemplate(templateId, { ports: ['8888/http'] });
        expect(result).toMatchObject({
          ok: true,
          value: { template: { id: templateId, ports: ['8888/http'] }, oddFields: [], extra: {} },
        });
      }
    },
  );

  it('changes a template, and shows it with its pods', async () => {
    const sandbox = await start();
    const { body: pod } = await ask(sandbox, `pods/${sandbox.pods[0]}?includeTemplate=true`);
    const changed = await update(sandbox, String(pod['templateId']), { env: { MODEL: 'größer 🐟' }, volumeInGb: 33 });
    expect(changed).toEqual({
      status: 200,
      body: {
        ...Object(pod['template']),
        env: { MODEL: 'größer 🐟' },
        containerDiskInGb: 50,
        isPublic: false,
        readme: '',
        volumeInGb: 33,
        volumeMountPath: '/workspace',
      },
    });
    expect((await ask(sandbox, `pods/${sandbox.pods[0]}?includeTemplate=true`)).body['template']).toEqual(changed.body);
  });

  it('keeps omitted settings with templateOmitted keep', async () => {
    const sandbox = await start({ templateOmitted: 'keep' });
    const { body } = await update(sandbox, templateOf(sandbox, 'echo'), { env: {} });
    expect(body).toMatchObject({ volumeMountPath: '/runpod-volume', volumeInGb: 0, env: {} });
  });

  it('refuses a body of more than 1 MB, and accepts one of exactly that', async () => {
    const sandbox = await start();
    const templateId = templateOf(sandbox, 'echo');
    const bodyOf = (bytes: number): string => JSON.stringify({ readme: 'x'.repeat(bytes - '{"readme":""}'.length) });
    expect((await update(sandbox, templateId, bodyOf(1_048_576))).status).toBe(200);
    expect(await update(sandbox, templateId, bodyOf(1_048_577))).toEqual({
      status: 400,
      body: { error: 'The body must not exceed 1048576 bytes.' },
    });
    expect(await update(sandbox, templateId, '['.repeat(500_000))).toMatchObject({ status: 400 });
    expect(
      await update(sandbox, templateId, `{"env":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`),
    ).toMatchObject({ status: 400 });
  });

  it('lets a pod initialise in the service’s time', async () => {
    const clock = createVirtualClock();
    const sandbox = await start({ clock, timeScale: 10 });
    const initialising = sandbox.pods.at(-1) ?? '';
    expect((await ask(sandbox, `pods/${initialising}`)).body).toMatchObject({ publicIp: null, portMappings: {} });
    clock.advance(2_000);
    expect((await ask(sandbox, `pods/${initialising}`)).body).toMatchObject({
      publicIp: expect.any(String),
      portMappings: { '22': expect.any(Number) },
    });
  });
});

describe('workers as pods', () => {
  it('appear with the first job, and are replaced by a rolling release: idle ones immediately, the version increases by one (ruling 31)', async () => {
    const sandbox = await start();
    const caller = createCaller(sandbox);
    await caller.runsync('echo', {});
    await caller.runsync('mock', {});
    const [before] = await workersOf(sandbox, 'echo');
    const [bystander] = await workersOf(sandbox, 'mock');
    expect((await ask(sandbox, `pods/${String(before?.['id'])}?includeTemplate=true`)).body).toMatchObject({
      endpointId: 'echo',
      aiApiId: 'echo',
      template: { name: 'echo' },
    });

    await update(sandbox, templateOf(sandbox, 'echo'), { imageName: 'mine:2' });
    expect((await ask(sandbox, `pods/${String(before?.['id'])}`)).status).toBe(404);
    await caller.runsync('echo', {});
    const [after] = await workersOf(sandbox, 'echo');
    expect(after).toMatchObject({
      image: 'mine:2',
      slsVersion: Number(before?.['slsVersion']) + 1,
      publicIp: expect.any(String),
    });
    expect((await workersOf(sandbox, 'mock'))[0]).toEqual(bystander);
  });

  it('finish their current job in their old container (ruling 31)', async () => {
    const sandbox = await start();
    const caller = createCaller(sandbox);
    const jobId = await caller.run('mock', { mock_progress: ['there'], mock_delay: 600_000 });
    while ((await caller.status('mock', jobId)).status !== 'IN_PROGRESS');
    const [busy] = await workersOf(sandbox, 'mock');
    await update(sandbox, templateOf(sandbox, 'mock'), { imageName: 'mine:2' });
    expect((await ask(sandbox, `pods/${String(busy?.['id'])}`)).body).toMatchObject({
      image: 'sandbox/worker-mock:1.0.0',
      slsVersion: busy?.['slsVersion'],
    });
    expect((await caller.status('mock', jobId)).status).toBe('IN_PROGRESS');

    await caller.post(`mock/cancel/${jobId}`);
    expect(await caller.runsync('mock', { mock_return: 1 })).toMatchObject({ status: 'COMPLETED' });
    for (const worker of await workersWithout(sandbox, 'mock', busy?.['id'])) {
      expect(worker).toMatchObject({ image: 'mine:2', slsVersion: Number(busy?.['slsVersion']) + 1 });
    }
  });
});

describe('with a state file', () => {
  it('keeps changed templates, the versions of endpoints and the age of pods over a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-management-'));
    try {
      const stateFile = join(folder, 'state.sqlite');
      const first = await start({ stateFile, templateOmitted: 'keep' });
      const changed = await update(first, templateOf(first, 'mock'), { name: 'renamed', env: { A: 'b' } });
      const pod = await ask(first, `pods/${first.pods[0]}`);
      await first.close();
      open.length = 0;

      const second = await start({ stateFile, templateOmitted: 'keep' });
      expect(await update(second, templateOf(second, 'mock'), {})).toEqual(changed);
      expect(await ask(second, `pods/${second.pods[0]}`)).toEqual(pod);
      // One release before the restart, one after.
      await createCaller(second).runsync('mock', { mock_return: 1 });
      expect((await workersOf(second, 'mock')).map((worker) => worker['slsVersion'])).toEqual([3]);
    } finally {
      for (const sandbox of open.splice(0)) await sandbox.close();
      await rm(folder, { recursive: true });
    }
  });
});
