import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { History } from '../../../src-main/history/history.ts';
import { Ledger } from '../../../src-main/job/store/ledger.ts';
import { createLog } from '../../../src-main/log.ts';
import type { RequestRecord } from '../../../src-preload/job.ts';
import { openTestHistory } from '../../kit/threads.ts';
import { aNewJob } from '../../unit/history/a-database.ts';

function statusRead(path: string): Omit<RequestRecord, 'id'> {
  return {
    atMs: 1,
    method: 'GET',
    operation: 'status',
    path,
    httpStatus: 200,
    tookMs: 2,
    bytesReceived: 3,
    failureKind: null,
    note: null,
  };
}

it('a request about a job that is over stays in memory until the disk accepts it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jobdeck-requests-'));
  const { history } = await openTestHistory({ path: join(folder, 'history.db'), now: Date.now });
  onTestFinished(async () => {
    await history.close();
    await rm(folder, { recursive: true, force: true });
  });
  await history.commit([aNewJob({ key: 'k1', phase: 'finished', status: 'COMPLETED', jobId: 'j1' })]);
  let isFull = true;
  const full: History = {
    ...history,
    recordRequests: (key, requests) =>
      isFull ? Promise.reject(new Error('disk full')) : history.recordRequests(key, requests),
  };
  const log = createLog({ write: () => {}, now: Date.now });
  const ledger = new Ledger({ history: full, now: Date.now, onCommitted: () => {}, log });
  ledger.noteRequest('k1', statusRead('/first'));

  await expect(ledger.flush()).rejects.toThrow('disk full');
  expect(ledger.hasUnflushed()).toBe(true);
  ledger.noteRequest('k1', statusRead('/second'));
  isFull = false;
  await ledger.flush();

  expect(ledger.hasUnflushed()).toBe(false);
  const requests = await history.requests('k1');
  expect(requests.map(({ path }) => path)).toEqual(['/first', '/second']);
});
