import { countsOf, type AllJobCounts } from '../../../src-preload/history.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT_IN_ENDPOINTS } from '../../../src-main/sandbox/endpoint.ts';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import type { Connection } from '../../../src-preload/connection.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { AppNotification } from '../../../src-preload/notification.ts';
import { openPacedEndpoint } from '../../kit/paced-endpoint.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { closeApps, listed, openApp, removeAppFolders } from './app-scene.ts';
import type { App } from './app-scene.ts';
import { createFastClock } from './fast-clock.ts';

let service: Sandbox;
let app: App;
let connection: Connection;
const paced = openPacedEndpoint();
beforeAll(async () => {
  service = await startSandbox({ endpoints: [...BUILT_IN_ENDPOINTS, paced.endpoint] });
  app = await openApp();
  connection = await app.connect(service);
});
afterAll(async () => {
  await closeApps();
  await service.close();
  paced.close();
  await removeAppFolders();
});

/** The job in its most recent event after event number `from`. */
async function told(key: string, from: number, check: (job: Job) => boolean): Promise<Job> {
  const { jobs } = await app.untilEvent(
    'job:changed',
    (event) => event.jobs.some((job) => job.key === key && check(job)),
    from,
  );
  const job = jobs.find((one) => one.key === key);
  if (job === undefined) throw new Error('It was told without the job.');
  return job;
}

describe('a user’s mark on a job', () => {
  it('is reported to every window, and saved', async () => {
    const job = await app.submit({ connectionId: connection.id, input: { mock_error: 'no such style' } });
    await app.untilEnd(job.key);
    expect(countsOf(await app.answer('job:counts', undefined), connection.id)).toMatchObject({
      failedUnseen: 1,
      byEndpoint: { mock: { failedUnseen: 1 } },
      starred: 0,
    });

    let from = app.told['job:changed'].length;
    await app.answer('job:markSeen', { keys: [job.key, 'nobody'] }, 2);
    expect(await told(job.key, from, ({ isSeen }) => isSeen)).toMatchObject({
      status: 'FAILED',
      reason: { kind: 'failed', said: 'no such style' },
    });
    from = app.told['job:changed'].length;
    await app.answer('job:star', { key: job.key, isStarred: true }, 2);
    expect(await told(job.key, from, ({ isStarred }) => isStarred)).toMatchObject({ isSeen: true });
    from = app.told['job:changed'].length;
    expect(await app.answer('job:tag', { key: job.key, add: ['later', ' trimmed '], remove: [] }, 1)).toMatchObject({
      tags: ['later', 'trimmed'],
    });
    expect(await told(job.key, from, ({ tags }) => tags.length === 2)).toMatchObject({ isSeen: true, isStarred: true });

    expect(countsOf(await app.answer('job:counts', undefined), connection.id)).toMatchObject({
      failedUnseen: 0,
      failed: 1,
      starred: 1,
    });
    expect((await listed(app, { view: 'starred', tags: ['later'] })).jobs.map(({ key }) => key)).toEqual([job.key]);
    expect((await listed(app, { notTags: ['later'] })).jobs).toEqual([]);
    // Marking again what is marked is no news.
    from = app.told['job:changed'].length;
    expect(await app.answer('job:markSeen', { keys: [job.key] }, 1)).toMatchObject({ keys: [] });
    expect(app.told['job:changed']).toHaveLength(from);
  });

  it('as seen is undone for these jobs and their notifications, and for nothing else', async () => {
    const jobs = await Promise.all(
      ['one', 'two'].map((why) => app.submit({ connectionId: connection.id, input: { mock_error: why } })),
    );
    for (const { key } of jobs) await app.untilEnd(key);
    const unseen = async (): Promise<number> => (await app.answer('notification:unseen', undefined)).unseen;
    await expect.poll(unseen).toBeGreaterThanOrEqual(2);
    const [first, second] = jobs.map(({ key }) => key);
    const before = await unseen();
    await app.answer('job:markSeen', { keys: [first ?? ''] });
    await expect.poll(unseen).toBe(before - 1);
    const marked = await app.answer('job:markSeen', { keys: [first ?? '', second ?? ''] });
    expect(marked.keys).toEqual([second]);
    await expect.poll(unseen).toBe(before - 2);
    const from = app.told['job:changed'].length;
    await app.answer('job:markUnseen', marked);
    await told(second ?? '', from, ({ isSeen }) => !isSeen);
    await expect.poll(unseen).toBe(before - 1);
    expect((await app.answer('job:get', { key: first ?? '' })).job.isSeen).toBe(true);
  });

  it('all notifications marks the ended jobs and rows of batches that they are about, which is undone with them', async () => {
    const own = await app.connect(service);
    const failedUnseen = async (): Promise<number> =>
      countsOf(await app.answer('job:counts', undefined), own.id).failedUnseen;
    const { key } = await app.submit({ connectionId: own.id, input: { mock_error: 'alone' } });
    const submission = await app.answer('batch:submit', {
      name: 'Nightly',
      inputs: ['{"mock_error": "first"}', '{"mock_error": "second"}', '{"mock_delay": 1}'],
      draft: { connectionId: own.id, endpointId: 'mock', operation: 'run' },
    });
    if (submission.kind !== 'accepted') throw new Error('The rows were refused.');
    await expect.poll(failedUnseen).toBe(3);
    const list = (): Promise<AppNotification[]> =>
      app.answer('notification:list', { beforeId: null, limit: 50 }).then(({ notifications }) => notifications);
    await expect
      .poll(async () => (await list()).filter(({ connectionId }) => connectionId === own.id).map(({ kind }) => kind))
      .toEqual(expect.arrayContaining(['job', 'batch']));
    const upToId = (await list())[0]?.id ?? 0;
    const marked = await app.answer('notification:markSeen', { upToId });
    expect(marked.jobKeys).toContain(key);
    expect(await failedUnseen()).toBe(0);
    expect((await list()).every(({ isSeen }) => isSeen)).toBe(true);
    await app.answer('notification:markUnseen', { upToId, ...marked });
    expect(await failedUnseen()).toBe(3);
    // One that is clicked opens its job, which marks that; a group leaves its jobs to the list.
    expect(await app.answer('notification:markSeen', { ids: [upToId] })).toMatchObject({ jobKeys: [] });
    expect(await failedUnseen()).toBe(3);
  });

  it('a note that was typed over another one than the saved one does not replace it', async () => {
    const { key } = await app.submit({ connectionId: connection.id, input: { mock_delay: 1 } });
    const note = async (): Promise<string> => (await app.answer('job:get', { key })).note;
    await app.answer('job:note', { key, text: 'from the first window', over: '' }, 1);
    expect(await app.call('job:note', { key, text: 'from the second', over: '' }, 2)).toMatchObject({
      ok: false,
      failure: { kind: 'refused', field: 'over' },
    });
    expect(await note()).toBe('from the first window');
    await app.answer('job:note', { key, text: 'from both', over: 'from the first window' }, 2);
    expect(await note()).toBe('from both');
  });

  it('is not undone by later chunks of a stream', async () => {
    const paced_stream = Array.from({ length: 60 }, (_, at) => `word ${at} `);
    const job = await app.submit({ connectionId: connection.id, endpointId: 'paced', input: { paced_stream } });
    paced.pass(10);
    await app.answer('job:watch', { openKey: job.key, rowKeys: [] }, 1);
    await app.untilJob(job.key, ({ chunkCount }) => chunkCount > 0);
    await Promise.all([
      app.answer('job:star', { key: job.key, isStarred: true }, 1),
      app.answer('job:tag', { key: job.key, add: ['mine'], remove: [] }, 2),
      app.answer('job:markSeen', { keys: [job.key] }, 2),
    ]);
    const from = app.told['job:changed'].length;
    for (const passed of [20, 30, 40]) {
      paced.pass(10);
      await app.untilJob(job.key, ({ chunkCount }) => chunkCount === passed);
    }
    const marks = { isStarred: true, tags: ['mine'], isSeen: true };
    expect((await app.answer('job:get', { key: job.key })).job).toMatchObject(marks);
    paced.end();
    await app.untilEnd(job.key);
    const later = app.told['job:changed'].slice(from).flatMap(({ jobs }) => jobs.filter(({ key }) => key === job.key));
    expect(later.filter(({ status }) => status === 'IN_PROGRESS').length).toBeGreaterThan(1);
    for (const each of later) expect(each).toMatchObject(marks);
    const requestCounts = later.map(({ requestCount }) => requestCount);
    expect(requestCounts).toEqual(requestCounts.toSorted((a, b) => a - b));
  });

  it('tags of two windows are both kept, and one too many changes nothing', async () => {
    const job = await app.submit({ connectionId: connection.id, input: { mock_return: 1 } });
    await app.untilEnd(job.key);
    await app.answer('job:tag', { key: job.key, add: ['both', 'former'], remove: [] }, 1);
    await Promise.all([
      app.answer('job:tag', { key: job.key, add: ['first'], remove: [] }, 1),
      app.answer('job:tag', { key: job.key, add: ['second', 'both'], remove: ['former'] }, 2),
    ]);
    const tags = async (): Promise<string[]> => (await app.answer('job:get', { key: job.key })).job.tags;
    expect((await tags()).toSorted()).toEqual(['both', 'first', 'second']);
    const many = Array.from({ length: 18 }, (_, at) => `tag ${at}`);
    expect(await app.call('job:tag', { key: job.key, add: many, remove: [] }, 2)).toMatchObject({
      ok: false,
      failure: { kind: 'refused', field: 'add' },
    });
    expect((await tags()).toSorted()).toEqual(['both', 'first', 'second']);
  });

  it('is not undone by a later answer of the service', async () => {
    const job = await app.submit({ connectionId: connection.id, input: { mock_delay: 300, mock_return: 1 } });
    await app.untilJob(job.key, ({ phase }) => phase === 'active');
    await Promise.all([
      app.answer('job:star', { key: job.key, isStarred: true }, 1),
      app.answer('job:tag', { key: job.key, add: ['mine'], remove: [] }, 2),
    ]);
    expect(await app.untilEnd(job.key)).toMatchObject({ status: 'COMPLETED', isStarred: true, tags: ['mine'] });
    expect((await app.answer('job:get', { key: job.key })).job).toMatchObject({
      phase: 'finished',
      isStarred: true,
      tags: ['mine'],
    });
  });

  it('settings changed in one window are sent to the other, and refused if invalid', async () => {
    const from = app.told['settings:changed'].length;
    await app.answer('settings:change', { density: 'compact', currentConnectionId: connection.id }, 2);
    expect(await app.untilEvent('settings:changed', () => true, from)).toMatchObject({
      density: 'compact',
      currentConnectionId: connection.id,
      theme: 'system',
    });
    expect(await app.call('settings:change', { rateShare: 7 }, 1)).toMatchObject({
      ok: false,
      failure: { kind: 'refused', field: 'rateShare' },
    });
    expect(app.engine.settings()).toMatchObject({ density: 'compact', rateShare: 0.25 });
  });
});

describe('a new batch', () => {
  it.each([9, 250])('of %i rows comes with its newest rows in the event that counts them', async (total) => {
    const from = app.told['job:changed'].length;
    const { active } = countsOf(await app.answer('job:counts', undefined), connection.id);
    await app.answer('batch:submit', {
      name: 'Rows',
      inputs: Array.from({ length: total }, (_, index) => JSON.stringify({ number: index, mock_delay: 600_000 })),
      draft: { connectionId: connection.id, endpointId: 'image', operation: 'run' },
    });
    const isCounted = ({ counts }: { counts: AllJobCounts }): boolean =>
      countsOf(counts, connection.id).active > active;
    const counting = await app.untilEvent('job:changed', isCounted, from);
    expect(countsOf(counting.counts, connection.id).active).toBe(active + total);
    const shown = Math.min(total, 200);
    // Rows that were sent by then are in it as well.
    expect(counting.jobs.map(({ batchRow }) => batchRow)).toEqual(
      expect.arrayContaining(Array.from({ length: shown }, (_, index) => total - shown + index + 1)),
    );
  });
});

describe('the open job', () => {
  it('is near-live while any window shows it, and no longer when the last one closes', async () => {
    const clock = createFastClock(20);
    const app = await openApp({ clock });
    const connection = await app.connect(service);
    const { key } = await app.submit({ connectionId: connection.id, input: { mock_delay: 600_000 } });
    await app.untilJob(key, ({ startedSeenAtMs }) => startedSeenAtMs !== null);
    // So old that it is read no more than four times a minute unless a window shows it.
    clock.skip(600_000);
    await app.answer('tracker:tryNow', undefined);
    /** From now on, two reads in a row are this far apart. */
    const untilReadsAre = async (isApart: (ms: number) => boolean): Promise<void> => {
      const from = app.told['job:changed'].length;
      await app.untilSeen(() => {
        const reads = app.told['job:changed']
          .slice(from)
          .flatMap(({ jobs }) => jobs)
          .filter((job) => job.key === key)
          .map(({ statusReadAtMs }) => statusReadAtMs ?? 0);
        return reads.some(
          (atMs, index) => index > 0 && atMs > (reads[index - 1] ?? 0) && isApart(atMs - (reads[index - 1] ?? 0)),
        );
      });
    };
    const near = (ms: number): boolean => ms < 10_000;
    const far = (ms: number): boolean => ms >= 15_000;
    await untilReadsAre(far);

    await app.answer('job:watch', { openKey: key, rowKeys: [] }, 1);
    await untilReadsAre(near);
    // The second window turns to something else; the first still shows its job.
    await app.answer('job:watch', { openKey: key, rowKeys: [] }, 2);
    await app.answer('job:watch', { openKey: null, rowKeys: [] }, 2);
    await untilReadsAre(near);
    app.engine.windowClosed(2);
    await untilReadsAre(near);
    app.engine.windowClosed(1);
    await untilReadsAre(far);
  });
});
