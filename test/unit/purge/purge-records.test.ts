import { expect, it } from 'vitest';
import { createLog } from '../../../src-main/log.ts';
import { createPurgeRecords, type PurgeRecord } from '../../../src-main/purge/purge-records.ts';
import { documentsInMemory } from '../../kit/documents-in-memory.ts';

const aPurge: PurgeRecord = {
  id: 'p',
  connectionId: 'c',
  endpointId: 'e',
  startedAtMs: 1,
  expected: 2,
  outcome: { kind: 'under-way' },
  keys: [],
  again: [],
};

async function opened() {
  const disk = documentsInMemory();
  const log = createLog({ write: () => undefined, now: () => 0 });
  const open = () => createPurgeRecords(disk.documents, log);
  const records = open();
  await records.add(aPurge);
  return {
    ...disk,
    records,
    saved: async (): Promise<PurgeRecord[]> => {
      const again = open();
      await again.load();
      return again.all();
    },
  };
}

const withKey = (key: string) => (record: PurgeRecord) => ({ ...record, keys: [...record.keys, key] });

it('keeps all of two changes that are saved at the same time, in memory and on the disk', async () => {
  const { records, holdWrites, saved } = await opened();
  const letGo = holdWrites();
  const one = records.changeAnyway('p', withKey('one'));
  const dismissal = records.change('p', (record) => ({ ...record, isDismissed: true }));
  const two = records.changeAnyway('p', withKey('two'));
  expect(records.find('p')).toMatchObject({ keys: ['one', 'two'] });
  letGo();
  await Promise.all([one, dismissal, two]);
  const all = { keys: ['one', 'two'], isDismissed: true };
  expect(records.find('p')).toMatchObject(all);
  expect(await saved()).toMatchObject([all]);
});

it('does not bring back a purge that is removed while a change of it is saved', async () => {
  const { records, holdWrites, saved } = await opened();
  const letGo = holdWrites();
  const change = records.changeAnyway('p', withKey('one'));
  const removal = records.remove(aPurge);
  const late = records.changeAnyway('p', withKey('late'));
  letGo();
  await Promise.all([change, removal, late]);
  expect(records.all()).toEqual([]);
  expect(await saved()).toEqual([]);
});

it('has what happened even if the disk refuses it, and saves it with the next change', async () => {
  const { records, refuseWrites, saved } = await opened();
  refuseWrites(1);
  await records.changeAnyway('p', withKey('one'));
  expect(records.find('p')).toMatchObject({ keys: ['one'] });
  expect(await saved()).toEqual([aPurge]);
  await records.changeAnyway('p', withKey('two'));
  expect(await saved()).toMatchObject([{ keys: ['one', 'two'] }]);
});

it('changes nothing when the disk refuses what the user did', async () => {
  const { records, refuseWrites } = await opened();
  refuseWrites(1);
  await expect(records.change('p', (record) => ({ ...record, isDismissed: true }))).rejects.toThrow('full');
  expect(records.find('p')).toEqual(aPurge);
  refuseWrites(1);
  await expect(records.add({ ...aPurge, id: 'q' })).rejects.toThrow('full');
  expect(records.find('q')).toBeNull();
});
