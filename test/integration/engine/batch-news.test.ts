import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { batchStateOf, noRows, type BatchCounts } from '../../../src-preload/batch.ts';
import type { Events } from '../../../src-preload/events.ts';
import { countsOf } from '../../../src-preload/history.ts';
import type { Job } from '../../../src-preload/job.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { closeApps, openApp, removeAppFolders } from './app-scene.ts';
import type { App } from './app-scene.ts';

let service: Sandbox;
let app: App;
beforeAll(async () => {
  service = await startSandbox();
  app = await openApp();
});
afterAll(async () => {
  await closeApps();
  await service.close();
  await removeAppFolders();
});

/** What a window knows that only listens: the jobs, and the rows of each batch by their state. */
class Listener {
  readonly #jobs = new Map<string, Job>();
  readonly #batches = new Map<string, BatchCounts>();

  take({ jobs, removedKeys, batches }: Events['job:changed']): void {
    for (const job of jobs) this.#jobs.set(job.key, job);
    for (const key of removedKeys) this.#jobs.delete(key);
    for (const { id, counts } of batches) this.#batches.set(id, counts);
  }

  /** The rows of a batch as the jobs have them, and as the batch counts them. */
  both(id: string): [BatchCounts, BatchCounts | undefined] {
    const rows = { ...noRows };
    for (const job of this.#jobs.values()) if (job.batchId === id) rows[batchStateOf(job)] += 1;
    return [rows, this.#batches.get(id)];
  }

  active(): number {
    return [...this.#batches.values()].reduce(
      (sum, { waiting, sending, active }) => sum + waiting + sending + active,
      0,
    );
  }
}

it('every event has the batch as its rows and the counts of all jobs are', async () => {
  const connection = await app.connect(service);
  const submission = await app.answer('batch:submit', {
    name: 'Nightly',
    inputs: Array.from({ length: 20 }, (_, row) => JSON.stringify({ mock_delay: 100 + row * 40 })),
    draft: { connectionId: connection.id, endpointId: 'mock', operation: 'run' },
  });
  if (submission.kind !== 'accepted') throw new Error('The rows were refused.');
  const { id } = submission.batch;
  await app.answer('batch:pause', { id });
  await app.untilEvent('job:changed', ({ batches }) => batches.some((batch) => batch.id === id && batch.isPaused));
  await app.answer('batch:resume', { id });
  const last = await app.untilEvent('job:changed', ({ batches }) =>
    batches.some((batch) => batch.id === id && batch.counts.completed === 20),
  );
  const keys = last.jobs.map(({ key }) => key);
  await app.answer('job:delete', { keys });
  await app.untilEvent('job:changed', ({ removedKeys }) => removedKeys.includes(keys[0] ?? ''));

  const window = new Listener();
  const events = app.told['job:changed'];
  for (const event of events) {
    window.take(event);
    const [rows, counted] = window.both(id);
    expect(rows).toEqual(counted ?? noRows);
    expect(window.active()).toBe(countsOf(event.counts, connection.id).active);
  }
  expect(events.filter(({ batches }) => batches.length > 0).length).toBeGreaterThan(5);
  expect(window.both(id)[0].completed).toBe(20 - keys.length);
});
