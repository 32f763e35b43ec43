import { describe, expect, it } from 'vitest';
import { batchStates, sendingTimeMs } from '../../../../src-preload/batch.ts';
import { namedBatches } from '../../../../src-renderer/batches/batches.ts';
import {
  endedRows,
  outcomesOf,
  outcomeText,
  rowsPerSecond,
  timeLeftMs,
  withSample,
  withSamplesOf,
  type Sample,
} from '../../../../src-renderer/batches/outcome-bar.tsx';
import { sendingText, defaultBatchName } from '../../../../src-renderer/messages/composer/batch.ts';
import { spanText } from '../../../../src-preload/format.ts';
import { aBatch } from './a-batch.ts';

const facts = { samples: [] as readonly Sample[], nowMs: 60_000, budget: null, rateShare: 0.25, runTimes: null };

describe('the parts of a batch', () => {
  it('contain every row once', () => {
    for (const state of batchStates)
      expect(outcomesOf(aBatch({ [state]: 3 })).reduce((sum, { count }) => sum + count, 0)).toBe(3);
    expect(outcomeText(aBatch({ completed: 7, failed: 1, waiting: 3, sending: 1 }))).toBe(
      '12 rows: 7 completed, 1 failed, 4 to send',
    );
    expect(endedRows(aBatch({ completed: 7, unknown: 1, gone: 1, waiting: 3, active: 2, sending: 1 }))).toBe(9);
  });
});

describe('the rate', () => {
  it('is that of the last minute', () => {
    let samples: Sample[] = [];
    for (let second = 0; second <= 300; second += 1)
      samples = withSample(samples, { atMs: second * 1_000, ended: second < 200 ? second : 200 + (second - 200) * 3 });
    expect(rowsPerSecond(samples, 300_000)).toBeCloseTo(3, 1);
    expect(samples.length).toBeLessThan(70);
  });

  it('is computed from few samples, even if rows end in every frame', () => {
    let samples: Sample[] = [];
    for (let frame = 0; frame <= 6_000; frame += 1) samples = withSample(samples, { atMs: frame * 16, ended: frame });
    expect(rowsPerSecond(samples, 96_000)).toBeCloseTo(62.5, 0);
    expect(samples.length).toBeLessThan(130);
  });

  it('is not shown before two rows ended, and restarts when rows are withdrawn', () => {
    expect(
      rowsPerSecond(
        [
          { atMs: 0, ended: 5 },
          { atMs: 1_000, ended: 6 },
        ],
        1_000,
      ),
    ).toBeNull();
    expect(withSample([{ atMs: 0, ended: 9 }], { atMs: 1_000, ended: 8 })).toEqual([{ atMs: 1_000, ended: 8 }]);
  });
});

describe('the data for the rate', () => {
  it('grows with updates of a live batch, and is removed when the batch is over', () => {
    const first = withSamplesOf({}, [aBatch({ active: 3 }), aBatch({ active: 1 }, { id: 'b2' })], 0);
    const later = withSamplesOf(first, [aBatch({ active: 1, completed: 2 })], 1_000);
    expect(later).toEqual({
      b1: [
        { atMs: 0, ended: 0 },
        { atMs: 1_000, ended: 2 },
      ],
      b2: [{ atMs: 0, ended: 0 }],
    });
    expect(withSamplesOf(later, [aBatch({ completed: 3 })], 2_000)).toEqual({ b2: [{ atMs: 0, ended: 0 }] });
  });
});

it('gives a rate of a second for rows that end at one moment', () => {
  const samples = [
    { atMs: 0, ended: 0 },
    { atMs: 100, ended: 30 },
  ];
  expect(rowsPerSecond(samples, 100)).toBe(30);
});

describe('the time left', () => {
  it('follows the rate, but is never less than sending the rest takes', () => {
    const samples = [
      { atMs: 0, ended: 0 },
      { atMs: 60_000, ended: 120 },
    ];
    expect(timeLeftMs(aBatch({ active: 60, completed: 120 }), { ...facts, samples })).toBe(30_000);
    expect(
      timeLeftMs(aBatch({ waiting: 2_000, completed: 120 }), {
        ...facts,
        samples: [
          { atMs: 59_000, ended: 0 },
          { atMs: 60_000, ended: 120 },
        ],
      }),
    ).toBe(70_000);
  });

  it('is not shown while paused, nor if nothing is known', () => {
    expect(timeLeftMs(aBatch({ waiting: 5 }, { isPaused: true }), facts)).toBeNull();
    expect(timeLeftMs(aBatch({ waiting: 5 }), facts)).toBeNull();
    expect(timeLeftMs(aBatch({ completed: 5 }), facts)).toBe(0);
    expect(
      timeLeftMs(aBatch({ waiting: 5 }), {
        ...facts,
        runTimes: { endpointId: 'echo', count: 9, executionP50Ms: 4_000, executionP95Ms: null, delayP95Ms: null },
      }),
    ).toBe(4_000);
  });

  it('is not shown once earlier jobs’ run times have not come true', () => {
    const runTimes = { endpointId: 'echo', count: 9, executionP50Ms: 4_000, executionP95Ms: null, delayP95Ms: null };
    const left = (quietMs: number) =>
      timeLeftMs(aBatch({ active: 8 }), { ...facts, samples: [{ atMs: facts.nowMs - quietMs, ended: 0 }], runTimes });
    expect(left(3_000)).toBe(4_000);
    expect(left(18_000)).toBeNull();
  });
});

describe('the estimate before sending', () => {
  it('counts whole windows: the first of them leaves immediately', () => {
    expect([0, 1, 250, 251, 500, 501, 10_000].map((rows) => sendingTimeMs(rows, 250))).toEqual([
      0, 0, 0, 10_000, 10_000, 20_000, 390_000,
    ]);
    expect(sendingText(600, 'run', 0.25)).toBe('about 20 s at 250 requests per 10 s');
    expect(sendingText(12, 'runsync', 0.25)).toBe('immediately (limit 500 per 10 s)');
    expect(sendingText(12, 'runsync', 0.25, 'when polling resumes')).toBe('when polling resumes');
    expect(sendingText(600, 'run', 0.25, 'when the connection has a key')).toBe(
      'when the connection has a key, about 20 s',
    );
    expect(sendingText(20_000, 'run', 0.01)).toBe('about 5 h 33 min at 10 requests per 10 s');
  });

  it('is no more exact than it can be', () => {
    expect([400, 99_000, 101_000, 5_990_000, 7_200_000, 7_800_000].map(spanText)).toEqual([
      '1 s',
      '99 s',
      '2 min',
      '1 h 40 min',
      '2 h',
      '2 h 10 min',
    ]);
  });
});

describe('the names', () => {
  it('of a batch come from its file, otherwise from the time', () => {
    expect(defaultBatchName('nightly eval.v4.ndjson', 0)).toBe('nightly eval.v4');
    expect(defaultBatchName('.csv', 0)).toMatch(/^Batch of \d\d:\d\d$/);
    expect(defaultBatchName(null, 0)).toMatch(/^Batch of \d\d:\d\d$/);
  });

  it('in the sidebar are those of all live batches and of the newest others of the day', () => {
    const day = 86_400_000;
    const batches = [
      aBatch({ completed: 1 }, { id: '6', createdAtMs: day }),
      aBatch({ active: 1 }, { id: '5' }),
      aBatch({ completed: 1 }, { id: '4', createdAtMs: day }),
      aBatch({ waiting: 1 }, { id: '3' }),
      aBatch({ completed: 1 }, { id: '2', createdAtMs: day }),
      aBatch({ completed: 1 }, { id: '1', createdAtMs: 0 }),
    ];
    expect(namedBatches(batches, day + 1).map(({ id }) => id)).toEqual(['5', '3', '6', '4']);
  });
});
