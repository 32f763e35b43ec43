import { expect, test } from 'vitest';
import { commit } from '../../../src-main/history/jobs/jobs.ts';
import { addNotification, readNotifications } from '../../../src-main/history/notifications/notifications.ts';
import { aDatabase, aNewJob } from './a-database.ts';

test('a notification knows whether its job has an output here', () => {
  const db = aDatabase();
  commit(db, [aNewJob({ key: 'k1', outputBytes: 12 }), aNewJob({ key: 'k2' }), aNewJob({ key: 'k3' })]);
  db.exec("UPDATE jobs SET chunk_count = 3 WHERE key = 'k2'");
  for (const jobKey of ['k1', 'k2', 'k3', null])
    addNotification(
      db,
      {
        about: `about/${jobKey}`,
        kind: jobKey === null ? 'alert' : 'job',
        statusKind: jobKey === null ? null : 'done',
        title: 'It ended',
        body: '',
        atMs: 1,
        connectionId: 'c1',
        endpointId: 'echo',
        jobKey,
        batchId: null,
        delivery: 'shown',
        deliveredAtMs: 1,
      },
      30,
    );
  const { notifications } = readNotifications(db, null, 10);
  expect(notifications.map(({ jobKey, hasOutput }) => [jobKey, hasOutput])).toEqual([
    [null, false],
    ['k3', false],
    ['k2', true],
    ['k1', true],
  ]);
});
