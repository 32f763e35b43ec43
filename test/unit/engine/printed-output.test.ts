import { expect, it } from 'vitest';
import { PrintedOutput } from '../../../src-main/engine/printed-output.ts';
import { createLog } from '../../../src-main/log.ts';
import type { SeenJob } from '../../../src-main/sandbox/printed-feed.ts';
import type { Job } from '../../../src-preload/job.ts';
import { aJob } from '../../kit/a-job.ts';

/** Printed output over jobs `known`, whose lines the disk refuses while `isRefusing`. */
function printedOver(known: readonly Job[]) {
  const disk = { isRefusing: false, saved: new Map<string, string>() };
  const logged: string[] = [];
  const find = (is: (job: Job) => boolean) => Promise.resolve(known.find(is) ?? null);
  const printed = new PrintedOutput({
    emit: () => undefined,
    history: {
      newestByServiceId: (jobId) => find((job) => job.jobId === jobId),
      job: (key) => find((job) => job.key === key),
      body: (key) => {
        const text = disk.saved.get(key);
        return Promise.resolve(text === undefined ? null : { text, bytes: text.length, isCut: false });
      },
      storePrinted: async (key, text) => {
        if (disk.isRefusing) throw new Error('the disk is full');
        disk.saved.set(key, text);
      },
    },
    hide: (text) => text,
    log: createLog({ write: (line) => logged.push(line), now: () => 0 }),
  });
  return { printed, disk, logged };
}

const running = Array.from({ length: 400 }, (_, at) =>
  aJob({ key: `key-${at}`, jobId: `id-${at}`, endpointId: 'mine', phase: 'active', status: 'IN_PROGRESS' }),
);
const ended = running.map((job): Job => ({ ...job, phase: 'finished', status: 'COMPLETED' }));

const seen = (jobId: string): SeenJob => ({
  endpointId: 'mine',
  jobId,
  head: [{ atMs: 1, stream: 'stdout', text: `line of ${jobId}`, cutChars: 0 }],
  dropped: 0,
  tail: [],
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('has what jobs printed while the disk refused it, shows it, and saves it at the latest when the app closes', async () => {
  const { printed, disk, logged } = printedOver(running);
  disk.isRefusing = true;
  const first = running.slice(0, 100);
  for (const { jobId } of first) {
    printed.take({ type: 'jobs-printed', jobs: [seen(jobId ?? '')] });
    await turn();
  }
  expect(logged.join('\n')).toContain('the disk is full');
  expect(await printed.readJob('key-0')).toMatchObject({
    ok: true,
    value: { head: [expect.objectContaining({ text: 'line of id-0' })] },
  });
  disk.isRefusing = false;
  await printed.close();
  expect([...disk.saved.keys()].sort()).toEqual(first.map(({ key }) => key).sort());
});

it('does not grow without an end while the disk refuses, and says what it gave up', async () => {
  const { printed, disk, logged } = printedOver(ended);
  disk.isRefusing = true;
  for (const { jobId } of ended) {
    printed.take({ type: 'jobs-printed', jobs: [seen(jobId ?? '')] });
    await turn();
  }
  disk.isRefusing = false;
  await printed.close();
  expect(disk.saved.size).toBeLessThanOrEqual(257);
  expect(disk.saved.size).toBeGreaterThan(200);
  expect(logged.join('\n')).toContain('no room left in memory');
});
