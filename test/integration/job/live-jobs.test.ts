import { afterAll, expect, it } from 'vitest';
import { removeEngineFolders, startEngine, to } from '../../kit/engine.ts';
import { startSandbox } from '../../kit/sandbox.ts';

afterAll(removeEngineFolders);

it('live jobs of a former run are read once, however often they are requested', async () => {
  const sandbox = await startSandbox();
  const first = await startEngine({ connections: to(sandbox) });
  const left = [
    await first.submit({ endpointId: 'mock', input: { mock_delay: 60_000 } }),
    await first.submit({ endpointId: 'mock', input: { mock_delay: 60_000 } }),
  ];
  for (const { key } of left) await first.until(key, ({ phase }) => phase === 'active');
  await first.close();

  let readings = 0;
  const again = await startEngine({
    dataDir: first.dataDir,
    connections: to(sandbox),
    wrapHistory: (history) => ({
      ...history,
      liveJobs: () => {
        readings += 1;
        return history.liveJobs();
      },
    }),
  });
  // The engine's own, and that of the test kit, which reads the disk.
  expect(readings).toBe(2);
  await again.jobs.loadLiveJobs();
  expect(again.jobs.liveJobs().map(({ key }) => key)).toEqual(left.map(({ key }) => key));
  expect(readings).toBe(2);
  const third = await again.submit({ endpointId: 'mock', input: { mock_delay: 60_000 } });
  // By key; two engines whose clocks run fast may make keys that interleave.
  expect(again.jobs.liveJobs().map(({ key }) => key)).toEqual([...left.map(({ key }) => key), third.key].sort());
  await again.close();
  await sandbox.close();
});
