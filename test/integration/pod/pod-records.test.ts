import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createLog } from '../../../src-main/log.ts';
import { createPodRecords } from '../../../src-main/pod/pod-records.ts';
import { openTestHistory } from '../../kit/threads.ts';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** A pod's document as every version has saved it so far. */
const saved = {
  connectionId: 'c1',
  podId: 'p1',
  isPinned: true,
  openedAtMs: 20,
  look: {
    readAtMs: 10,
    tookMs: 5,
    httpStatus: 200,
    bytesReceived: 11,
    include: ['includeMachine'],
    path: '/v1/pods/p1?includeMachine=true',
    maskedJson: '{"id":"p1"}',
  },
  changes: null,
  sealedJson: null,
};

it('reads the pods that earlier versions saved, and saves them in the same form', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jobdeck-pod-records-'));
  const { history } = await openTestHistory({ path: join(folder, 'history.db'), now: () => 0 });
  endings.push(async () => {
    await history.close();
    await rm(folder, { recursive: true, force: true });
  });
  await history.putDocument('pod', 'c1/p1', JSON.stringify(saved));
  const records = createPodRecords({
    documents: history,
    log: createLog({ write: () => undefined, now: () => 0 }),
  });
  const found = await records.find('c1', 'p1');
  expect(found).toMatchObject({ ok: true, value: { podId: 'p1', reading: saved.look } });
  if (!found.ok || found.value === null) return;
  await records.put({ ...found.value, isPinned: false });
  const json = await history.readDocument('pod', 'c1/p1');
  expect(JSON.parse(json ?? '')).toEqual({ ...saved, isPinned: false });
});
