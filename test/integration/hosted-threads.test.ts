import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestHistory } from '../kit/threads.ts';

let folder: string;
let threads: Worker[];
const begun = (worker: Worker): void => void threads.push(worker);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jobdeck-hosted-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => {
  threads = [];
  process.on('worker', begun);
});
afterEach(() => void process.off('worker', begun));

const open = async (name: string) => (await openTestHistory({ path: join(folder, name), now: Date.now })).history;

it('a thread whose history was closed serves the next, which has nothing of the former', async () => {
  const first = await open('first.db');
  await first.putDocument('notes', 'one', '"kept"');
  await first.close();
  const second = await open('second.db');
  expect(await second.readDocument('notes', 'one')).toBeNull();
  await second.close();
  const again = await open('first.db');
  expect(await again.readDocument('notes', 'one')).toContain('kept');
  await again.close();
  expect(threads.length).toBeLessThanOrEqual(1);
});

it('two histories that are open at once have a thread each', async () => {
  const [one, other] = await Promise.all([open('one.db'), open('other.db')]);
  const third = await open('third.db');
  await Promise.all([one.close(), other.close(), third.close()]);
  const again = await open('one.db');
  await again.close();
  expect(threads).toHaveLength(2);
});

it('a history whose thread dies gets another one, which serves what is asked then', async () => {
  // These have the threads that are free.
  const others = await Promise.all(['a.db', 'b.db', 'c.db', 'd.db'].map(open));
  const { promise: ended, resolve } = Promise.withResolvers<boolean>();
  const { history } = await openTestHistory({
    path: join(folder, 'mortal.db'),
    now: Date.now,
    onEvent: (event) => event.kind === 'thread-ended' && resolve(event.isStartedAgain),
  });
  await threads.at(-1)?.terminate();
  expect(await ended).toBe(true);
  await history.putDocument('notes', 'one', '"kept"');
  expect(await history.readDocument('notes', 'one')).toContain('kept');
  await Promise.all([history, ...others].map((one) => one.close()));
});
