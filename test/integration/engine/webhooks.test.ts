import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { WebhookReceiverState } from '../../../src-preload/webhook.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';
import type { App } from './app-scene.ts';

let service: Sandbox;
beforeAll(async () => {
  service = await startSandbox();
});
afterEach(closeApps);
afterAll(async () => {
  await service.close();
  await removeAppFolders();
});

/** Turns the receiver on and answers its address. */
async function turnedOn(app: App): Promise<string> {
  await app.answer('settings:change', { isWebhookReceiverOn: true });
  const { url } = await app.untilEvent('webhook:changed', (state) => state.url !== null);
  if (url === null) throw new Error('It does not listen.');
  return url;
}

describe('the webhook receiver of the app', () => {
  it('is off until it is turned on, and off again when turned off', async () => {
    const app = await openApp();
    const off: WebhookReceiverState = {
      isOn: false,
      url: null,
      calls: 0,
      lastCallAtMs: null,
      problem: null,
      unknownJobs: [],
    };
    expect(await app.answer('webhook:state', undefined)).toEqual(off);
    const url = await turnedOn(app);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{20,}$/);
    await app.answer('settings:change', { isWebhookReceiverOn: false });
    await app.untilEvent('webhook:changed', (state) => !state.isOn);
    await expect(fetch(url, { method: 'POST', body: '{"id":"a"}' })).rejects.toThrow();
  });

  it('counts the calls of the service, and their jobs are then saved', async () => {
    const app = await openApp();
    const connection = await app.connect(service);
    const webhook = await turnedOn(app);
    const job = await app.submit({ connectionId: connection.id, input: { mock_return: 'told' }, webhook });
    expect(await app.untilEnd(job.key)).toMatchObject({ status: 'COMPLETED', isResultSaved: true });
    expect((await app.untilEvent('webhook:changed', ({ calls }) => calls === 1)).lastCallAtMs).not.toBeNull();
  });

  it('is called at the submission’s own address, which reveals the outcome of one without a reply', async () => {
    const app = await openApp();
    const connection = await app.connect(service);
    const webhook = await turnedOn(app);
    service.setFault({ kind: 'drop-after-accept', operation: 'run', times: 1 });
    const lost = await app.submit({ connectionId: connection.id, input: { mock_return: 'lost' }, webhook });
    const { jobId } = await app.untilJob(lost.key, (job) => job.phase === 'outcome-unknown' && job.jobId !== null);
    expect(jobId).toBe(service.transitions().findLast(({ cause }) => cause === 'submitted')?.jobId);
    expect((await app.answer('webhook:state', undefined)).unknownJobs).toEqual([]);
    // Copying the job as a command gives the address that was entered.
    const draft = await app.answer('job:draft', { key: lost.key });
    expect(draft.webhook).toBe(webhook);
    expect((await app.answer('job:curl', { key: lost.key })).command).toContain(`"webhook":"${webhook}"`);
  });

  it('has its former address after a restart: jobs sent with it reach it again', async () => {
    const before = await openApp();
    const url = await turnedOn(before);
    await before.close();
    const after = await openApp({ dataDir: before.dataDir });
    expect(await after.answer('webhook:state', undefined)).toMatchObject({ isOn: true, url });
  });
});
