import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MessageChannel } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src-main/history/file/open.ts';
import { commit } from '../../../src-main/history/jobs/jobs.ts';
import { serveIndex, type FromIndexThread, type ToIndexThread } from '../../../src-main/history/search/serve-index.ts';
import { aJob } from '../../kit/a-job.ts';
import { createVirtualClock } from '../../kit/clock.ts';

/** The index's side in this thread, over a virtual clock, with all of the history indexed. */
async function scene() {
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-index-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'history.db');
  const { db } = openDatabase(path, 0, { isIndexWritten: false });
  onTestFinished(() => db.close());
  const clock = createVirtualClock();
  const { port1: ours, port2: theirs } = new MessageChannel();
  const caughtUp = new Int32Array(new SharedArrayBuffer(4));
  const said: FromIndexThread[] = [];
  ours.on('message', (message: FromIndexThread) => said.push(message));
  serveIndex(theirs, { kind: 'index', path, nowMs: clock.now(), caughtUp }, clock);
  const send = async (message: ToIndexThread): Promise<void> => {
    ours.postMessage(message);
    // Until it has been received.
    await clock.advance(0);
    await clock.advance(0);
  };
  onTestFinished(() => send({ kind: 'close' }));
  await clock.advance(1_000);
  expect(clock.pending()).toBe(0);
  const holder = new DatabaseSync(join(folder, 'history-search.db'));
  onTestFinished(() => holder.close());
  return {
    clock,
    said,
    /** Saves a job; the index is notified. */
    async save(key: string) {
      commit(db, [{ job: aJob({ key, phase: 'finished', status: 'COMPLETED' }) }]);
      await send({ kind: 'changed', nowMs: clock.now() });
    },
    /** Nothing can be written to the index, as on a full disk, until it is released. */
    hold: () => holder.exec('BEGIN IMMEDIATE'),
    release: () => holder.exec('ROLLBACK'),
    indexed: () => said.filter(({ kind }) => kind === 'indexed').length,
    /** The waits between the next tries, until there is none left. At most `most`. */
    async waits(max = 20) {
      const waits: number[] = [];
      for (let atMs = clock.nextAtMs(); atMs !== null && waits.length < max; atMs = clock.nextAtMs()) {
        waits.push(atMs - clock.now());
        await clock.advance(atMs - clock.now());
      }
      return waits;
    },
  };
}

it('an index that cannot be written is tried less and less often, and then no longer by a timer', async () => {
  const { save, hold, release, waits, clock, indexed } = await scene();
  hold();
  await save('k1');
  expect(await waits()).toEqual([40, 5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000]);
  expect(clock.pending()).toBe(0);
  expect(indexed()).toBe(0);

  // With room again, the next change indexes both, and nothing is left to wait for.
  release();
  await clock.advance(60_000);
  await save('k2');
  await clock.advance(1_000);
  expect(indexed()).toBe(1);
  expect(clock.pending()).toBe(0);
});

it('a change tries again immediately, but not within five seconds of a failure', async () => {
  const { save, hold, release, waits, clock, indexed } = await scene();
  hold();
  await save('k1');
  expect(await waits(4)).toEqual([40, 5_000, 10_000, 20_000]);
  await clock.advance(1_000);
  await save('k2');
  expect(await waits(1)).toEqual([4_000]);
  await clock.advance(30_000);
  release();
  await save('k3');
  expect(await waits(1)).toEqual([40]);
  expect(indexed()).toBe(1);
  // After a success the first wait is short again.
  await clock.advance(1_000);
  hold();
  await save('k4');
  expect(await waits(2)).toEqual([40, 5_000]);
  release();
});
