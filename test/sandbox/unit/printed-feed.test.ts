import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BATCH_LINES_MAX,
  PrintedFeed,
  JOB_PART_CHARS_MAX,
  JOBS_MAX,
  LINE_SHOWN_MAX,
  type PrintedNews,
  type SeenJob,
  type SeenLine,
} from '../../../src-main/sandbox/printed-feed.ts';
import type { HandlerLog } from '../../../src-main/sandbox/workers/start-handler-thread.ts';

const log = (line: string, rest: Partial<HandlerLog> = {}): HandlerLog => ({
  endpointId: 'mine',
  workerId: 'w1',
  jobId: 'a',
  stream: 'stdout',
  line,
  ...rest,
});

function scene() {
  const posted: PrintedNews[] = [];
  let planned: (() => void) | null = null;
  const feed = new PrintedFeed({
    post: (news) => posted.push(structuredClone(news)),
    now: () => 42,
    later: (_afterMs, run) => {
      planned = run;
      return () => (planned = null);
    },
  });
  const tick = (): void => {
    const run = planned;
    planned = null;
    run?.();
  };
  const lines = (): SeenLine[] => posted.flatMap((news) => (news.type === 'printed' ? news.lines : []));
  return {
    feed,
    tick,
    isPlanned: () => planned !== null,
    /** Runs until nothing is planned. */
    settle: () => {
      for (let isPlanned = planned !== null; isPlanned; isPlanned = planned !== null) tick();
    },
    lines,
    texts: () => lines().map(({ text }) => text),
    missed: () => posted.reduce((sum, news) => sum + (news.type === 'printed' ? news.missed : 0), 0),
    /** What was posted last of a job. */
    job: (jobId: string): SeenJob | undefined =>
      posted
        .flatMap((news) => (news.type === 'jobs-printed' ? news.jobs : []))
        .findLast((seen) => seen.jobId === jobId),
    posted,
  };
}

describe('the feed of what handlers print', () => {
  it('posts lines in batches, and plans nothing while nothing is printed', () => {
    const { feed, tick, isPlanned, settle, posted, lines } = scene();
    expect(isPlanned()).toBe(false);
    feed.note(log('one'), false);
    feed.note(log('two', { jobId: null, stream: 'stderr' }), false);
    expect(posted).toEqual([]);
    tick();
    expect(lines()).toEqual([
      {
        seq: 1,
        atMs: 42,
        endpointId: 'mine',
        workerId: 'w1',
        jobId: 'a',
        stream: 'stdout',
        text: 'one',
        cutChars: 0,
        isOpen: false,
      },
      {
        seq: 2,
        atMs: 42,
        endpointId: 'mine',
        workerId: 'w1',
        jobId: null,
        stream: 'stderr',
        text: 'two',
        cutChars: 0,
        isOpen: false,
      },
    ]);
    settle();
    expect(isPlanned()).toBe(false);
  });

  it('leaves out colours and other control sequences, and keeps tabs', () => {
    const { feed, tick, texts } = scene();
    feed.note(
      log('\u001b[1;31mred\u001b[0m\tand \u0007bell \u001b]8;;https://a.example\u0007link\u001b]8;;\u0007'),
      false,
    );
    tick();
    expect(texts()).toEqual(['red\tand bell link']);
  });

  it('shows a line without an end as far as it goes, under one number', () => {
    const { feed, tick, lines } = scene();
    feed.note(log('10%'), true);
    feed.note(log('20%'), true);
    tick();
    feed.note(log('between'), false);
    tick();
    expect(lines().map(({ seq, text, isOpen }) => [seq, text, isOpen])).toEqual([
      [1, '20%', true],
      [1, 'between', false],
    ]);
  });

  it('ends a line that was posted as far as it went, even in a flood, and counts it once', () => {
    const { feed, tick, lines, missed } = scene();
    feed.note(log('10%'), true);
    tick();
    feed.note(log('100%'), false);
    for (let line = 0; line < 5_000; line += 1) feed.note(log('flood', { jobId: 'b' }), false);
    tick();
    expect(
      lines()
        .filter(({ seq }) => seq === 1)
        .map(({ text, isOpen }) => [text, isOpen]),
    ).toEqual([
      ['10%', true],
      ['100%', false],
    ]);
    expect(new Set(lines().map(({ seq }) => seq)).size + missed()).toBe(5_001);
  });

  it('keeps the bars of several jobs apart', () => {
    const { feed, tick, lines } = scene();
    feed.note(log('a 10%'), true);
    feed.note(log('b 10%', { jobId: 'b' }), true);
    feed.note(log('a 20%'), true);
    tick();
    expect(lines().map(({ jobId, text }) => [jobId, text])).toEqual([
      ['a', 'a 20%'],
      ['b', 'b 10%'],
    ]);
  });

  it('makes one line of the pieces of a long one, and counts what it leaves out', () => {
    const { feed, settle, lines, job } = scene();
    for (let piece = 0; piece < 763; piece += 1) feed.note(log('x'.repeat(65_536), { isContinued: true }), false);
    feed.note(log('end'), false);
    settle();
    const [line] = lines();
    expect(lines()).toHaveLength(1);
    expect(line?.text).toBe('x'.repeat(LINE_SHOWN_MAX));
    expect(line?.cutChars).toBe(763 * 65_536 + 3 - LINE_SHOWN_MAX);
    expect(job('a')?.head).toHaveLength(1);
  });

  it('drops the oldest of a flood and counts them, and keeps the beginning and the end of its job', () => {
    const { feed, settle, texts, missed, job } = scene();
    const all = Array.from({ length: 50_000 }, (_, index) => `line ${index}`);
    for (const line of all) feed.note(log(line), false);
    settle();
    expect(texts()).toEqual(all.slice(-BATCH_LINES_MAX));
    expect(missed()).toBe(all.length - BATCH_LINES_MAX);
    const { head = [], tail = [], dropped = 0 } = job('a') ?? {};
    expect(head.map(({ text }) => text)).toEqual(all.slice(0, head.length));
    expect(tail.map(({ text }) => text)).toEqual(all.slice(-tail.length));
    expect(head.length + dropped + tail.length).toBe(all.length);
  });

  it('keeps every line of a job that prints little, and the open one at its end', () => {
    const { feed, settle, job } = scene();
    feed.note(log('first'), false);
    feed.note(log('50%', { stream: 'stderr' }), true);
    settle();
    expect(job('a')).toMatchObject({
      head: [{ text: 'first' }, { text: '50%', stream: 'stderr' }],
      dropped: 0,
      tail: [],
    });
    feed.note(log('100%', { stream: 'stderr' }), false);
    settle();
    expect(job('a')?.head.map(({ text }) => text)).toEqual(['first', '100%']);
  });

  it('shows a line of a job where it was begun, before others that came until its end', () => {
    const { feed, settle, job } = scene();
    feed.note(log('50%', { stream: 'stderr' }), true);
    feed.note(log('step done'), false);
    settle();
    expect(job('a')?.head.map(({ text }) => text)).toEqual(['50%', 'step done']);
    feed.note(log('100%', { stream: 'stderr' }), false);
    settle();
    expect(job('a')?.head.map(({ text }) => text)).toEqual(['100%', 'step done']);
  });

  it('adds what a job prints after its end to that job', () => {
    const { feed, settle, job } = scene();
    feed.note(log('in time'), false);
    feed.note(log('of the next', { jobId: 'b' }), false);
    settle();
    feed.note(log('late'), false);
    settle();
    expect(job('a')?.head.map(({ text }) => text)).toEqual(['in time', 'late']);
    expect(job('b')?.head.map(({ text }) => text)).toEqual(['of the next']);
  });

  it('posts a job before it forgets it, and never begins it again', () => {
    const { feed, settle, job } = scene();
    feed.note(log('of the first', { jobId: 'first' }), false);
    for (let other = 0; other < JOBS_MAX; other += 1) feed.note(log('x', { jobId: `job ${other}` }), false);
    feed.note(log('late', { jobId: 'first' }), false);
    settle();
    expect(job('first')?.head.map(({ text }) => text)).toEqual(['of the first']);
  });

  it('posts everything that waits when it closes', () => {
    const { feed, isPlanned, texts, job } = scene();
    feed.note(log('last words'), false);
    feed.close();
    expect(texts()).toEqual(['last words']);
    expect(job('a')?.head).toHaveLength(1);
    expect(isPlanned()).toBe(false);
  });

  it('never loses count of a line, and keeps within its bounds', () => {
    const printed = fc.record({
      text: fc.integer({ min: 0, max: 3_000 }).map((length) => 'x'.repeat(length)),
      jobId: fc.constantFrom('a', 'b', null),
      isTick: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(printed, { maxLength: 400 }), (all) => {
        const { feed, tick, settle, lines, missed, job } = scene();
        for (const { text, jobId, isTick } of all) {
          feed.note(log(text, { jobId }), false);
          if (isTick) tick();
        }
        settle();
        expect(lines().length + missed()).toBe(all.length);
        const seqs = lines().map(({ seq }) => seq);
        expect(seqs).toEqual([...new Set(seqs)].sort((one, other) => one - other));
        for (const jobId of ['a', 'b']) {
          const own = all.filter((one) => one.jobId === jobId).map(({ text }) => text);
          const { head = [], dropped = 0, tail = [] } = job(jobId) ?? {};
          expect(head.map(({ text }) => text)).toEqual(own.slice(0, head.length));
          expect(tail.map(({ text }) => text)).toEqual(own.slice(own.length - tail.length));
          expect(head.length + dropped + tail.length).toBe(own.length);
          for (const part of [head, tail])
            expect(part.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(JOB_PART_CHARS_MAX);
        }
      }),
      { numRuns: 60 },
    );
  });
});
