import { afterAll, expect, it, onTestFinished } from 'vitest';
import { hourMs } from '../../../src-preload/durations.ts';
import { aJob } from '../../kit/a-job.ts';
import { createFastClock } from '../../kit/clock.ts';
import { removeEngineFolders, startEngine, type TestConnection } from '../../kit/engine.ts';
import { createFaultService } from '../../kit/fault-service.ts';
import { startSandbox, TEST_API_KEY } from '../../kit/sandbox.ts';

afterAll(removeEngineFolders);

it('hundreds of services that do not answer hold up no result of the one that does', async () => {
  const [sandbox, silent] = [await startSandbox(), await createFaultService()];
  onTestFinished(async () => {
    await Promise.all([sandbox.close(), silent.close()]);
  });
  silent.otherwise({ kind: 'hang' });
  const names = Array.from({ length: 200 }, (_, at) => `silent-${at}`);
  const connections: Record<string, TestConnection> = {
    main: { baseUrl: sandbox.baseUrl, apiKey: TEST_API_KEY },
    ...Object.fromEntries(names.map((name) => [name, { baseUrl: silent.url, apiKey: `key-${name}` }])),
  };
  const clock = createFastClock(5);
  const nowMs = clock.now();
  const former = await startEngine({ connections: {}, clock });
  await former.history.commit(
    names.map((connectionId) => ({
      job: aJob({
        key: `of-${connectionId}`,
        connectionId,
        baseUrl: silent.url,
        jobId: `job-${connectionId}`,
        createdAtMs: nowMs,
        acceptedAtMs: nowMs,
        ttlEndsAtMs: nowMs + 86_400_000,
      }),
    })),
  );
  await former.close();
  // A request that gets no answer is in progress for as long as the test.
  const timeouts = { status: hourMs, stream: hourMs, health: hourMs };
  const engine = await startEngine({ connections, clock, dataDir: former.dataDir, timeouts });
  onTestFinished(() => engine.close());
  // As in the background.
  for (const name of names.slice(0, 80)) void engine.jobs.readHealth(name, 'echo');
  const jobs = await Promise.all(
    Array.from({ length: 5 }, () => engine.submit({ endpointId: 'mock', input: { mock_delay: 2_000 } })),
  );
  const ends = await Promise.all(jobs.map(({ key }) => engine.untilEnd(key)));
  expect(ends.map(({ status }) => status)).toEqual(jobs.map(() => 'COMPLETED'));
}, 60_000);
