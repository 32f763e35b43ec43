import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JobCells } from '../../../../../src-preload/batch-table.ts';
import { maxCellsRead } from '../../../../../src-preload/bounds.ts';
import { failed, ok, type Result } from '../../../../../src-preload/failure.ts';
import {
  createCellsReader,
  firstCellsRead,
  reportEveryMs,
} from '../../../../../src-renderer/jobs/batch-table/cells-reader.ts';
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
  const reader = createCellsReader(main.read, () => 0);
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
  const reader = createCellsReader(main.read, () => 0);
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
  const reader = createCellsReader(main.read, () => 0);
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
  const reader = createCellsReader(main.read, () => 0);
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

test('the first page is small, rows on screen come before the others, and the others are reported together', async () => {
  const main = aMain();
  let nowMs = 0;
  const reader = createCellsReader(main.read, () => nowMs);
  const reports: (number | null)[] = [];
  reader.subscribe(() => reports.push(reader.state().waiting));
  reader.want(Array.from({ length: 500 }, (_, at) => done(`k${at}`)));
  expect(main.asked.at(-1)).toHaveLength(firstCellsRead);
  reader.showFirst(['k0', 'k1']);
  await main.answer();
  // What is on screen is there.
  expect(reports).toEqual([500, 460]);
  expect(main.asked.at(-1)?.[0]).toBe('k40');
  reader.showFirst(['k450', 'k451', 'k3']);
  await main.answer();
  expect(reports).toEqual([500, 460]);
  expect(main.asked.at(-1)?.slice(0, 3)).toEqual(['k450', 'k451', 'k140']);
  expect(main.asked.at(-1)).toHaveLength(maxCellsRead);
  await main.answer();
  expect(reports).toEqual([500, 460, 260]);
  nowMs += reportEveryMs;
  await main.answer();
  expect(reports).toEqual([500, 460, 260, 160]);
  await main.answer();
  await main.answer();
  expect(reports).toEqual([500, 460, 260, 160, 0]);
});

test('whatever comes between the pages, all that is wanted is read as it is, and each report is true', async () => {
  const key = fc.integer({ min: 0, max: 150 }).map((at) => `k${at}`);
  const step = fc.oneof(
    fc.record({ kind: fc.constant('want' as const), keys: fc.uniqueArray(key), bytes: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constant('show' as const), keys: fc.uniqueArray(key, { maxLength: 20 }) }),
    fc.record({ kind: fc.constant('answer' as const), passed: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 300 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      let nowMs = 0;
      let wanted = new Map<string, number>();
      const bytesRead = new Map<string, number>();
      const waiting: { keys: string[]; as: Map<string, number>; answer: (page: Page) => void }[] = [];
      const reader = createCellsReader(
        (keys) => new Promise((answer) => waiting.push({ keys, as: wanted, answer })),
        () => nowMs,
      );
      const isStale = (each: string): boolean => bytesRead.get(each) !== wanted.get(each);
      reader.subscribe(() => expect(reader.state().waiting).toBe([...wanted.keys()].filter(isStale).length));
      const answer = async (passed: number): Promise<void> => {
        expect(waiting.length).toBeLessThanOrEqual(1);
        const page = waiting.pop();
        if (page === undefined) return;
        expect(page.keys.length).toBeLessThanOrEqual(maxCellsRead);
        const keys = page.keys.slice(0, passed);
        for (const each of keys) if (wanted.has(each)) bytesRead.set(each, page.as.get(each) ?? 0);
        page.answer(ok({ cells: keys.map(cellsOf), passed: keys.length }));
        for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      };
      for (const one of steps) {
        if (one.kind === 'answer') await answer(one.passed);
        else if (one.kind === 'wait') nowMs += one.ms;
        else if (one.kind === 'show') reader.showFirst(one.keys);
        else {
          wanted = new Map(one.keys.map((each) => [each, one.bytes]));
          for (const each of bytesRead.keys()) if (!wanted.has(each)) bytesRead.delete(each);
          reader.want(one.keys.map((each) => done(each, one.bytes)));
        }
      }
      while (waiting.length > 0) await answer(maxCellsRead);
      expect([...wanted.keys()].filter(isStale)).toEqual([]);
      expect(new Set(reader.state().cells.keys())).toEqual(new Set(wanted.keys()));
      expect(reader.state().waiting ?? 0).toBe(0);
    }),
  );
});
