import { expect, test } from 'vitest';
import type { JobCells } from '../../../../../src-preload/batch-table.ts';
import { maxCellsRead } from '../../../../../src-preload/bounds.ts';
import { failed, ok, type Result } from '../../../../../src-preload/failure.ts';
import { createCellsReader } from '../../../../../src-renderer/jobs/batch-table/cells-reader.ts';
import { aJob } from '../../../../kit/a-job.ts';

type Page = Result<{ cells: JobCells[]; passed: number }>;

const cellsOf = (key: string): JobCells => ({
  key,
  input: [],
  output: [],
  error: null,
  hasImage: false,
  isOutputCut: false,
});

/** A main that answers when it is told to, with at most `perPage` jobs. */
function aMain(perPage = maxCellsRead) {
  const asked: string[][] = [];
  const answers: ((page: Page) => void)[] = [];
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };
  return {
    asked,
    read: (keys: string[]): Promise<Page> => {
      asked.push(keys);
      return new Promise((resolve) => answers.push(resolve));
    },
    answer: async (page?: Page): Promise<void> => {
      const keys = (asked.at(-1) ?? []).slice(0, perPage);
      answers.shift()?.(page ?? ok({ cells: keys.map(cellsOf), passed: keys.length }));
      await settled();
    },
  };
}

const done = (key: string, outputBytes = 5) => aJob({ key, phase: 'finished', status: 'COMPLETED', outputBytes });

test('all jobs are read in pages, one after another, however few main reads at a time', async () => {
  const main = aMain(3);
  const reader = createCellsReader(main.read);
  expect(reader.state().waiting).toBeNull();
  reader.want(Array.from({ length: 7 }, (_, at) => done(`k${at}`)));
  expect(main.asked).toHaveLength(1);
  expect(reader.state().waiting).toBe(7);
  for (let page = 0; page < 3; page += 1) await main.answer();
  expect(main.asked.map((keys) => keys[0])).toEqual(['k0', 'k3', 'k6']);
  expect([...reader.state().cells.keys()]).toEqual(['k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6']);
  expect(reader.state().waiting).toBe(0);
});

test('a job is read again when its bodies changed, even while it was being read, and not otherwise', async () => {
  const main = aMain();
  const reader = createCellsReader(main.read);
  reader.want([aJob({ key: 'a' }), done('b')]);
  // It ends while its page is on the way.
  reader.want([done('a'), done('b')]);
  await main.answer();
  expect(main.asked).toEqual([['a', 'b'], ['a']]);
  await main.answer();
  reader.want([{ ...done('a'), isSeen: true, isStarred: true }, done('b')]);
  expect(main.asked).toHaveLength(2);
  expect(reader.state().waiting).toBe(0);
});

test('jobs that leave are forgotten, and what is read after the table was closed changes nothing', async () => {
  const main = aMain();
  const reader = createCellsReader(main.read);
  reader.want([done('a'), done('b')]);
  await main.answer();
  reader.want([done('b')]);
  expect([...reader.state().cells.keys()]).toEqual(['b']);
  reader.want([done('b'), done('c')]);
  reader.close();
  await main.answer();
  expect([...reader.state().cells.keys()]).toEqual(['b']);
});

test('a page that cannot be read is a problem that is shown, and read again on request', async () => {
  const main = aMain();
  const reader = createCellsReader(main.read);
  let changes = 0;
  reader.subscribe(() => (changes += 1));
  reader.want([done('a')]);
  await main.answer(failed({ kind: 'storage', message: 'The disk is full.' }));
  expect(reader.state()).toMatchObject({ waiting: 1, problem: { message: 'The disk is full.' } });
  reader.want([done('a'), done('b')]);
  expect(main.asked).toHaveLength(1);
  reader.retry();
  await main.answer();
  expect(reader.state()).toMatchObject({ waiting: 0, problem: null });
  expect(changes).toBeGreaterThan(1);
});
