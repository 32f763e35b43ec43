import { expect, test } from 'vitest';
import type { JobCells } from '../../../../../src-preload/batch-table.ts';
import { failed, ok, type Result } from '../../../../../src-preload/failure.ts';
import { readerOf, readFirstCells } from '../../../../../src-renderer/jobs/batch-table/batch-readers.ts';
import { firstCellsRead } from '../../../../../src-renderer/jobs/batch-table/cells-reader.ts';
import { aJob } from '../../../../kit/a-job.ts';
import { answerCalls } from '../../../../kit/answering-bridge.ts';

const jobs = Array.from({ length: 100 }, (_, at) => aJob({ key: `k${at}`, phase: 'finished', status: 'COMPLETED' }));
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

function aMain() {
  const asked: string[][] = [];
  let refused = 0;
  const cellsOf = (key: string): JobCells => ({
    key,
    input: [],
    output: [],
    error: null,
    hasImage: false,
    isOutputCut: false,
  });
  answerCalls({
    'batch:cells': ({ keys }): Promise<Result<{ cells: JobCells[]; passed: number }>> => {
      asked.push(keys);
      if (refused > 0) {
        refused -= 1;
        return Promise.resolve(failed({ kind: 'defect', message: 'Not now.' }));
      }
      return Promise.resolve(ok({ cells: keys.map(cellsOf), passed: keys.length }));
    },
  });
  return { asked, refuseOnce: () => void (refused = 1) };
}

test('what a table begins with is read once before it is opened, and the rest when it is', async () => {
  const { asked } = aMain();
  readFirstCells('first', jobs);
  readFirstCells('first', jobs);
  await settled();
  expect(asked.map((keys) => keys.length)).toEqual([firstCellsRead]);
  const reader = readerOf('first');
  expect(reader.state().cells.size).toBe(firstCellsRead);
  reader.want(jobs);
  await settled();
  expect(asked.flat()).toEqual(jobs.map(({ key }) => key));
  // It is open now, and the list is shown again.
  readFirstCells('first', jobs);
  await settled();
  expect(asked.flat()).toHaveLength(jobs.length);
});

test('reading ahead keeps what the table that was shown last has read', async () => {
  const { asked } = aMain();
  const shown = readerOf('shown');
  shown.want(jobs);
  await settled();
  const before = asked.length;
  for (const next of ['one', 'other']) readFirstCells(next, jobs);
  await settled();
  expect(asked).toHaveLength(before + 2);
  expect(readerOf('shown')).toBe(shown);
  expect(readerOf('one').state().cells.size).toBe(0);
});

test('what could not be read ahead is read again when the table is opened, without a word', async () => {
  const { asked, refuseOnce } = aMain();
  refuseOnce();
  readFirstCells('refused', jobs);
  await settled();
  const reader = readerOf('refused');
  expect(reader.state().problem).toBeNull();
  reader.want(jobs);
  await settled();
  expect(reader.state().cells.size).toBe(jobs.length);
  expect(asked).toHaveLength(3);
});
