import { describe, expect, it } from 'vitest';
import { endpointTemplateId } from '../../../../src-main/sandbox/management/template-catalogue.ts';
import type { WorkerInfo } from '../../../../src-main/sandbox/workers/one-worker.ts';
import { START_MS, openScene, scriptedEndpoint } from './scene.ts';

function worker(id: string, more: Partial<WorkerInfo> = {}): WorkerInfo {
  return { id, state: 'idle', version: 1, startedAtMs: START_MS, ...more };
}

describe('serverless workers', () => {
  it('are pods of their endpoint, with its version and template', async () => {
    const scene = openScene({
      endpoints: [scriptedEndpoint('text', [worker('uhbbfre73gqjwh', { version: 7 })]), scriptedEndpoint('echo')],
    });
    const { status, body } = await scene.pod('uhbbfre73gqjwh', 'includeTemplate=true&includeMachine=true');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: 'uhbbfre73gqjwh',
      name: 'text worker',
      desiredStatus: 'RUNNING',
      endpointId: 'text',
      aiApiId: 'text',
      slsVersion: 7,
      templateId: endpointTemplateId('text'),
      template: { id: endpointTemplateId('text'), name: 'text', isServerless: true },
      image: 'sandbox/worker-text:1.0.0',
      lastStartedAt: '2026-10-04T11:09:24.633Z',
      publicIp: expect.any(String),
      portMappings: { '22': expect.any(Number) },
      machine: { dataCenterId: 'US-KS-2' },
    });
    const { body: ordinary } = await scene.pod(
      scene.management.podIds[0] ?? '',
      'includeTemplate=true&includeMachine=true',
    );
    expect(Object.keys(body).toSorted()).toEqual(Object.keys(ordinary).toSorted());
  });

  it('have no public address while they start', async () => {
    const endpoint = scriptedEndpoint('text', [worker('w', { state: 'starting' })]);
    const scene = openScene({ endpoints: [endpoint] });
    scene.clock.advance(3_600_000);
    expect((await scene.pod('w')).body).toMatchObject({
      publicIp: null,
      portMappings: {},
      lastStatusChange: expect.stringMatching(/^Started for endpoint text, at most 3 workers, initializing: /),
    });
    endpoint.live = [worker('w')];
    expect((await scene.pod('w')).body).toMatchObject({
      publicIp: expect.any(String),
      lastStatusChange: expect.stringMatching(/^Started for endpoint text, at most 3 workers: /),
    });
  });

  it('keep their own machine and address for life, and disappear with the worker', async () => {
    const endpoint = scriptedEndpoint('text', [worker('a'), worker('b', { state: 'running' })]);
    const scene = openScene({ endpoints: [endpoint] });
    const [first, again, other] = [await scene.pod('a'), await scene.pod('a'), await scene.pod('b')];
    expect(again.body).toEqual(first.body);
    for (const field of ['machineId', 'publicIp', 'portMappings'])
      expect(other.body[field]).not.toEqual(first.body[field]);
    endpoint.live = [];
    expect((await scene.pod('a')).status).toBe(404);
  });

  it('run on a CPU or a GPU, by endpoint', async () => {
    const scene = openScene({
      endpoints: [scriptedEndpoint('echo', [worker('c')]), scriptedEndpoint('mine', [worker('g')])],
    });
    expect((await scene.pod('c')).body).toMatchObject({ gpu: null, cpuFlavorId: 'cpu3c' });
    expect((await scene.pod('g')).body).toMatchObject({ gpu: { count: 1 }, cpuFlavorId: null });
  });

  it('are listed by includeWorkers as pods, those of all endpoints (ruling 24)', async () => {
    const endpoints = [
      scriptedEndpoint('text', [worker('a'), worker('b', { state: 'starting' })]),
      scriptedEndpoint('image', [worker('c')]),
    ];
    const scene = openScene({ endpoints });
    const [podId = ''] = scene.management.podIds;
    const { body } = await scene.pod(podId, 'includeWorkers=true');
    expect(body['workers']).toEqual([
      (await scene.pod('a')).body,
      (await scene.pod('b')).body,
      (await scene.pod('c')).body,
    ]);
    const { body: own } = await scene.pod('a', 'includeWorkers=true&includeMachine=true');
    expect(Object(own['workers'])[2]).toEqual((await scene.pod('c', 'includeMachine=true')).body);
  });

  it('are not among the ids of the ready line', () => {
    const scene = openScene({ endpoints: [scriptedEndpoint('text', [worker('a')])] });
    expect(scene.management.podIds).not.toContain('a');
    expect(scene.management.templateIds[0]).toBe(endpointTemplateId('text'));
  });

  it('send costPerHr as a text in the observed dialect, even in the listing', async () => {
    const scene = openScene({ dialect: 'observed', endpoints: [scriptedEndpoint('text', [worker('a')])] });
    const { body } = await scene.pod('a', 'includeWorkers=true');
    expect(body).toMatchObject({ costPerHr: '1.49', workers: [{ costPerHr: '1.49' }] });
  });
});

describe('a rolling release', () => {
  it('starts for exactly the endpoint of the template, once for each update', async () => {
    const endpoints = [scriptedEndpoint('text'), scriptedEndpoint('image'), scriptedEndpoint('echo')];
    const scene = openScene({ endpoints });
    await scene.update(endpointTemplateId('image'), { imageName: 'a:2' });
    await scene.update(endpointTemplateId('image'), {});
    expect(endpoints.map(({ releases }) => releases)).toEqual([0, 2, 0]);
  });

  it('does not start for a refused update or a template of pods', async () => {
    const endpoints = [scriptedEndpoint('text')];
    const scene = openScene({ endpoints });
    expect((await scene.update(endpointTemplateId('text'), { volumeInGb: -1 })).status).toBe(400);
    for (const templateId of scene.management.templateIds.slice(1))
      expect((await scene.update(templateId, {})).status).toBe(200);
    expect(endpoints[0]?.releases).toBe(0);
  });

  it('leaves a busy worker in its original container until it is replaced (ruling 31)', async () => {
    const endpoint = scriptedEndpoint('text', [worker('v1', { state: 'running', version: 1 })]);
    const scene = openScene({ endpoints: [endpoint] });
    const templateId = endpointTemplateId('text');
    await scene.update(templateId, { imageName: 'mine:2', env: { A: '2' } });
    endpoint.live.push(worker('v2', { state: 'running', version: 2 }));
    await scene.update(templateId, { imageName: 'mine:3', env: { A: '3' } });
    endpoint.live.push(worker('v3', { version: 3 }));
    const imageOf = async (podId: string): Promise<unknown> => (await scene.pod(podId)).body['image'];
    expect(await Promise.all(['v1', 'v2', 'v3'].map(imageOf))).toEqual([
      'sandbox/worker-text:1.0.0',
      'mine:2',
      'mine:3',
    ]);
    expect((await scene.pod('v1', 'includeTemplate=true')).body).toMatchObject({
      slsVersion: 1,
      env: { LOG_LEVEL: 'info' },
      template: { imageName: 'mine:3' },
    });

    endpoint.live = [worker('v3', { state: 'running', version: 3 })];
    await scene.update(templateId, { imageName: 'mine:4' });
    expect(await imageOf('v3')).toBe('mine:3');
  });
});
