import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createScriptedService } from '../job/scripted-service.ts';
import { closeApps, listed, openApp, removeAppFolders } from './app-scene.ts';
import { createSealing } from './sealing.ts';

afterEach(closeApps);
afterAll(removeAppFolders);

/** More levels than any call stack of Node takes, in a text of a few kilobytes. */
const levels = 30_000;
const deepList = `${'['.repeat(levels)}${']'.repeat(levels)}`;
const deepObject = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('a service that nests its replies deeper than any stack', () => {
  it('does not keep a result out of the history', async () => {
    const service = await createScriptedService({
      status: [{ body: `{"id":"job-1","status":"COMPLETED","output":${deepObject},"more":${deepList},"beside":[1]}` }],
      stream: [{ body: `[{"output":${deepList},"metrics":${deepObject},"x":${deepObject}}]` }, { body: [] }],
      health: [{ body: `{"jobs":{},"workers":{"odd":${deepList}},"more":${deepObject}}` }],
    });
    const app = await openApp();
    const connection = await app.connect({ baseUrl: service.url, apiKey: 'a-key-0123456789', endpoints: ['ep'] });
    const job = await app.submit({ connectionId: connection.id, endpointId: 'ep', input: {} });
    expect(await app.untilEnd(job.key)).toMatchObject({ status: 'COMPLETED', isResultSaved: true, chunkCount: 1 });
    expect((await app.answer('job:body', { key: job.key, part: 'output', attempt: null, isWhole: true })).text).toBe(
      deepObject,
    );
    expect((await app.answer('job:get', { key: job.key })).extraFields).toEqual({ more: deepList, beside: [1] });
    const page = structuredClone(
      await app.answer('job:streamPage', { key: job.key, attempt: 1, fromSeq: 0, withMedia: false, run: null }),
    );
    expect(page).toMatchObject({
      isLast: true,
      digest: {
        text: `${deepList}\n`,
        metrics: { latest: { a: deepObject.slice('{"a":'.length, -1), x: deepObject } },
      },
    });
    expect(await app.answer('job:chunks', { key: job.key, attempt: 1, fromSeq: 0, limit: 10 })).toMatchObject([
      { outputJson: deepList },
    ]);
    expect((await listed(app, { text: 'beside' })).total).toBe(0);
    expect((await listed(app, { text: job.key })).jobs.map(({ key }) => key)).toEqual([job.key]);
    expect(await app.call('health:refresh', { connectionId: connection.id })).toMatchObject({ ok: true });
    expect(structuredClone(await app.answer('health:latest', { connectionId: connection.id }))).toMatchObject({
      health: [{ endpointId: 'ep' }],
    });
    await service.close();
  });

  it('can be inspected even if nothing of the reply could be read', async () => {
    const service = await createScriptedService({ run: [{ body: `{"more":${deepList}}` }] });
    const app = await openApp();
    const connection = await app.connect({ baseUrl: service.url, apiKey: 'a-key-0123456789', endpoints: ['ep'] });
    const { key } = await app.submit({ connectionId: connection.id, endpointId: 'ep', input: {} });
    expect(await app.untilEnd(key)).toMatchObject({ phase: 'outcome-unknown' });
    // As it goes to a window.
    expect(structuredClone(await app.answer('job:get', { key })).extraFields).toEqual({ more: deepList });
    await service.close();
  });

  it('is an unreadable reply for a pod or template', async () => {
    const service = await createScriptedService({});
    const app = await openApp({ safeStorage: createSealing() });
    const draft = {
      name: 'Service',
      baseUrl: service.url,
      restUrl: service.url,
      authorization: 'bearer' as const,
      endpoints: [],
    };
    const {
      connection: { id: connectionId },
    } = await app.answer('connection:save', { draft, key: 'a-key-0123456789' });
    for (const [status, body] of [
      [200, `{"id":"pod-1","env":{"HF_TOKEN":"hf_8sKqWmZ2vLxR71"},"more":${deepObject}}`],
      [400, `{"error":"no","more":${deepList},"env":{"HF_TOKEN":"hf_8sKqWmZ2vLxR71"}}`],
    ] as const) {
      service.next({ kind: 'reply', status, body });
      const read = await app.call('pod:read', { connectionId, podId: 'pod-1', include: [] });
      expect(read).toMatchObject({ ok: false, failure: { kind: status === 200 ? 'malformed' : 'invalid' } });
      expect(JSON.stringify(read)).not.toContain('hf_8sKqWmZ2vLxR71');
    }
    await service.close();
  });
});
