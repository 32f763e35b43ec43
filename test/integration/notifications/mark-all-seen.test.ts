import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Job } from '../../../src-preload/job.ts';
import { notificationHandlers } from '../../../src-main/notifications/handlers.ts';
import { Notifications } from '../../../src-main/notifications/notifications.ts';
import { createLog } from '../../../src-main/log.ts';
import { settingsDefaults } from '../../../src-preload/settings.ts';
import { aJob } from '../../kit/a-job.ts';
import { createVirtualClock } from '../../kit/clock.ts';
import { openTestHistory } from '../../kit/threads.ts';

const calm = {
  nowMs: 0,
  clockSettings: [],
  isPaused: false,
  tracked: 0,
  waitingToSend: 0,
  outcomeUnknown: 0,
  orphans: 0,
  nextStatusReadAtMs: null,
  connections: [],
  closures: [],
  budgets: [],
};

test('everything is marked as seen where no notification is listed: failed jobs that came from another history', async () => {
  const clock = createVirtualClock();
  const folder = await mkdtemp(join(tmpdir(), 'jobdeck-seen-'));
  const { history } = await openTestHistory({ path: join(folder, 'history.db'), now: clock.now });
  onTestFinished(async () => {
    await history.close();
    await rm(folder, { recursive: true, force: true });
  });
  const notifications = new Notifications({
    history,
    clock,
    settings: () => settingsDefaults,
    names: { connectionName: (id) => id, endpointName: ({ endpointId }) => endpointId },
    trackerState: () => calm,
    onChange: () => undefined,
    log: createLog({ write: () => undefined, now: clock.now }),
  });
  const reported: Job[] = [];
  const handlers = notificationHandlers({
    notifications,
    history,
    alerts: { firing: () => [] },
    jobs: { trackerState: () => calm, liveJobs: () => [], ownFields: history },
    jobNews: { changed: (jobs) => void reported.push(...jobs) },
  });
  const ended = { phase: 'finished', isSeen: false, finishedSeenAtMs: 1 } as const;
  await history.commit([
    { job: aJob({ key: 'failed', status: 'FAILED', ...ended }) },
    { job: aJob({ key: 'done', status: 'COMPLETED', ...ended }) },
  ]);
  const marked = await handlers['notification:markSeen']({ upToId: 0 }, { windowId: 1 });
  expect(marked).toMatchObject({ ok: true, value: { jobKeys: ['failed'] } });
  expect(reported).toMatchObject([{ key: 'failed', isSeen: true }]);
});
