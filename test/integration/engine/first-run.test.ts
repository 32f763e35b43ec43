import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { StreamNews } from '../../../src-main/job/stream-flow.ts';
import { closeApps, listed, openApp, removeAppFolders } from './app-scene.ts';

afterEach(closeApps);
afterAll(removeAppFolders);

describe('the first run', () => {
  it('times', async () => {
    const t0 = performance.now();
    const app = await openApp();
    const t1 = performance.now();
    const connection = await app.answer('connection:openSandbox', undefined);
    const t2 = performance.now();
    const job = await app.submit({ connectionId: connection.id, endpointId: 'text', input: { prompt: 'x', tokens_per_second: 500, max_tokens: 120 } });
    await app.untilEnd(job.key);
    const t3 = performance.now();
    await app.close();
    const t4 = performance.now();
    const again = await openApp({ dataDir: app.dataDir });
    const t5 = performance.now();
    await again.close();
    process.stderr.write(JSON.stringify({ open: t1 - t0, sandbox: t2 - t1, job: t3 - t2, close: t4 - t3, reopen: t5 - t4 }) + '\n');
  });
});
