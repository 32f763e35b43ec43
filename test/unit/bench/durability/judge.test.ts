import { describe, expect, it } from 'vitest';
import { judge } from '../../../bench/durability/judge.ts';
import type { BenchRead, Kill } from '../../../bench/durability/due-chunks.ts';
import type { AskedIntent, SavedJob, Ledgers, ServiceJob, Verdict } from '../../../bench/durability/judge.ts';

const chunks = ['"m1/0"', '"m1/1"', '"m1/2"'];

function anIntent(changes: Partial<AskedIntent> = {}): AskedIntent {
  return {
    marker: 'm1',
    end: 'COMPLETED',
    chunks,
    output: `[${chunks.join(',')}]`,
    answer: 'taken',
    kills: [],
    startMs: [],
    ...changes,
  };
}

const aKill = (atMs: number): Kill => ({ sentAtMs: atMs, goneAtMs: atMs });

/** Reported all chunks at the tenth second, and took a tenth of one. */
function aRead(changes: Partial<BenchRead> = {}): BenchRead {
  return {
    atMs: 10_000,
    durationMs: 100,
    status: 200,
    fault: null,
    sentChunks: { retries: 0, from: 0, to: chunks.length, times: 1 },
    replyBytes: 59,
    ...changes,
  };
}

function aServiceJob(changes: Partial<ServiceJob> = {}): ServiceJob {
  return { id: 'id-1', marker: 'm1', end: 'COMPLETED', isRemoved: false, reads: [aRead()], ...changes };
}

function aKeptJob(changes: Partial<SavedJob> = {}): SavedJob {
  return {
    key: 'k1',
    marker: 'm1',
    id: 'id-1',
    phase: 'finished',
    status: 'COMPLETED',
    output: `[${chunks.join(', ')}]`,
    error: null,
    chunks,
    rebuiltChunks: 0,
    isResultSaved: true,
    ...changes,
  };
}

const whole: Ledgers = { intents: [anIntent()], service: [aServiceJob()], kept: [aKeptJob()], reported: new Map() };
const judged = (changes: Partial<Ledgers>): Verdict => judge({ ...whole, ...changes });

/** The names of everything the verdict complains about. */
function complaints(verdict: Verdict): string[] {
  const {
    outcomeUnknown: _,
    outcomeUnknownButTaken: __,
    rebuiltChunks: ___,
    chunksLostOnTheWay: ____,
    chunksInProgressAtKill: _____,
    ...losses
  } = verdict;
  return Object.entries(losses)
    .filter(([, found]) => (Array.isArray(found) ? found.length : found) > 0)
    .map(([name]) => name);
}

it('finds nothing if everything is there', () => {
  expect(complaints(judged({}))).toEqual([]);
  expect(judged({ kept: [aKeptJob({ rebuiltChunks: 2 })] }).rebuiltChunks).toBe(2);
});

describe('results', () => {
  it.each([
    ['the output is missing', aKeptJob({ output: null })],
    ['the output differs', aKeptJob({ output: '["m1/0"]' })],
    ['the job was lost here', aKeptJob({ phase: 'gone', status: 'IN_PROGRESS', output: null })],
  ])('are lost when %s', (_, job) => {
    expect(judged({ kept: [job] }).lostResults).toHaveLength(1);
  });

  it('of a failure are its error', () => {
    const failing = {
      intents: [anIntent({ end: 'FAILED', chunks: [], output: null })],
      service: [aServiceJob({ end: 'FAILED' })],
    };
    const job = aKeptJob({ status: 'FAILED', output: null, chunks: [] });
    expect(complaints(judged({ ...failing, kept: [{ ...job, error: 'm1 cannot be done' }] }))).toEqual([]);
    expect(complaints(judged({ ...failing, kept: [job] }))).toEqual(['lostResults']);
  });

  it('are not expected of a job that the service never finished', () => {
    expect(
      complaints(
        judged({
          service: [aServiceJob({ end: null, reads: [], isRemoved: true })],
          kept: [aKeptJob({ output: null, chunks: [] })],
        }),
      ),
    ).toEqual([]);
  });
});

describe('chunks', () => {
  it('are lost, doubled or misplaced', () => {
    expect(judged({ kept: [aKeptJob({ chunks: chunks.slice(0, 2) })] }).lostChunks).toEqual(['m1: "m1/2"']);
    expect(judged({ kept: [aKeptJob({ chunks: [...chunks, '"m1/0"'] })] }).doubledChunks).toEqual(['m1: "m1/0"']);
    expect(judged({ kept: [aKeptJob({ chunks: [...chunks, '"invented"'] })] }).doubledChunks).toEqual([
      'm1: "invented"',
    ]);
    expect(judged({ kept: [aKeptJob({ chunks: chunks.toReversed() })] }).misplacedStreams).toEqual(['m1']);
  });

  it('of a plain list are invented, wherever they come from', () => {
    expect(judged({ intents: [anIntent({ chunks: [] })] }).doubledChunks).toHaveLength(chunks.length);
  });

  it('without any kept are lost if they were available, and are counted separately if no answer arrived', () => {
    const kept = [aKeptJob({ chunks: [] })];
    expect(judged({ kept }).lostChunks).toEqual(chunks.map((chunk) => `m1, kept as output only: ${chunk}`));
    expect(
      complaints(
        judged({ kept, service: [aServiceJob({ reads: [aRead({ fault: 'drop-after-accept', status: 0 })] })] }),
      ),
    ).toEqual(['streamsOnlyInOutput']);
    // They were never read and are still there; or an error came, and removed none of them.
    expect(complaints(judged({ kept, service: [aServiceJob({ reads: [] })] }))).toEqual(['lostChunks']);
    expect(
      complaints(
        judged({
          kept,
          service: [aServiceJob({ reads: [aRead({ fault: 'status', status: 503, sentChunks: null })] })],
        }),
      ),
    ).toEqual(['lostChunks']);
    expect(complaints(judged({ kept: [aKeptJob({ chunks: [], output: null })] }))).toEqual([
      'lostResults',
      'lostChunks',
    ]);
  });

  describe('of a stream that did not complete', () => {
    const failed = (
      kept: string[],
      reads: BenchRead[],
      changes: Partial<AskedIntent> = {},
      service: Partial<ServiceJob> = {},
    ): Verdict =>
      judged({
        intents: [anIntent({ end: 'FAILED', output: null, ...changes })],
        service: [aServiceJob({ end: 'FAILED', reads, ...service })],
        kept: [aKeptJob({ status: 'FAILED', output: null, error: 'm1 gave up', chunks: kept })],
      });

    it('are lost if they arrived, or if they were never read', () => {
      expect(failed(['"m1/0"'], [aRead()]).lostChunks).toEqual(['m1, FAILED: "m1/1"', 'm1, FAILED: "m1/2"']);
      expect(
        failed(['"m1/0"'], [aRead({ sentChunks: { retries: 0, from: 0, to: 1, times: 1 } })]).lostChunks,
      ).toHaveLength(2);
    });

    it('are not lost if the answer with them never arrived, or only half of it', () => {
      expect(failed([], [aRead({ fault: 'invalid-json' })])).toMatchObject({ lostChunks: [], chunksLostOnTheWay: 3 });
      expect(failed(['"m1/0"'], [aRead({ fault: 'truncated-json', replyBytes: 32 })])).toMatchObject({
        lostChunks: [],
        chunksLostOnTheWay: 2,
      });
      expect(failed([], [aRead({ fault: 'truncated-json', replyBytes: 32 })]).lostChunks).toEqual([
        'm1, FAILED: "m1/0"',
      ]);
    });

    it('are not lost if a kill came before they can have been written, and are if it came later', () => {
      expect(failed([], [aRead()], { kills: [aKill(10_400)] })).toMatchObject({
        lostChunks: [],
        chunksInProgressAtKill: 3,
      });
      expect(failed([], [aRead()], { kills: [aKill(9_999), aKill(11_000)], startMs: [0] }).lostChunks).toHaveLength(3);
      // The next process takes 600 ms to start: this read was asked for by the one that was killed.
      const before = (killMs: number): number =>
        failed([], [aRead()], { kills: [aKill(killMs)], startMs: [900, 600] }).lostChunks.length;
      expect([before(9_701), before(9_699)]).toEqual([0, 3]);
    });

    it('are not lost if a slow start left less time to write them', () => {
      const lostWith = (...startMs: number[]): number =>
        failed([], [aRead()], { kills: [aKill(10_615)], startMs }).lostChunks.length;
      expect([lostWith(200, 300, 6_000), lostWith(2_000, 4_000, 6_000)]).toEqual([3, 0]);
    });

    it('are not lost if the read’s connection was opened before the kill, however late it was served', () => {
      const kill = { kills: [aKill(7_000)], startMs: [900, 600] };
      expect(failed([], [aRead({ connectedAtMs: 6_900 })], kill)).toMatchObject({ chunksInProgressAtKill: 3 });
      expect(failed([], [aRead({ connectedAtMs: 7_100 })], kill).lostChunks).toHaveLength(3);
    });

    it('are not lost if the signal was sent in time, however late the process was seen to be gone', () => {
      const lost = (sentAtMs: number): number =>
        failed([], [aRead()], { kills: [{ sentAtMs, goneAtMs: 13_000 }] }).lostChunks.length;
      expect([lost(10_500), lost(10_700)]).toEqual([0, 3]);
    });

    it('are not lost if the process never read the answer, and are if it had read it long before the kill', () => {
      const lost = (receivedAtMs: number | null, killMs: number): number =>
        failed([], [aRead({ receivedAtMs })], { kills: [aKill(killMs)] }).lostChunks.length;
      expect([lost(null, 14_000), lost(null, 15_200), lost(13_800, 14_000), lost(10_200, 14_000)]).toEqual([
        0, 3, 0, 3,
      ]);
      // Its connection was accepted late, by a busy service.
      expect([lost(null, 5_500), lost(null, 4_400), lost(10_200, 5_500)]).toEqual([0, 3, 3]);
    });

    it('are not lost if the ttl deleted them before a read', () => {
      const gone = { end: null, isRemoved: true };
      expect(failed([], [], {}, gone).lostChunks).toEqual([]);
      expect(
        failed([], [aRead({ sentChunks: { retries: 0, from: 0, to: 1, times: 1 } })], {}, gone).lostChunks,
      ).toEqual(['m1, ended by its ttl: "m1/0"']);
    });

    it('may be doubled, which is counted, but none may be invented', () => {
      expect(failed([...chunks, '"m1/0"'], [aRead()])).toMatchObject({
        doubledChunks: [],
        doubledChunksUnexplained: 1,
      });
      expect(failed([...chunks, '"invented"'], [aRead()])).toMatchObject({
        doubledChunks: ['m1: "invented"'],
        doubledChunksUnexplained: 0,
      });
    });
  });
});

describe('submissions', () => {
  it('are doubled if the service or the history has two', () => {
    expect(complaints(judged({ service: [aServiceJob(), aServiceJob({ id: 'id-2' })] }))).toEqual([
      'doubledSubmissions',
    ]);
    expect(complaints(judged({ kept: [aKeptJob(), aKeptJob({ key: 'k2' })] }))).toEqual(['doubledSubmissions']);
  });
});

describe('intents', () => {
  it('are missing if they were accepted, or the service has them, and the history does not', () => {
    expect(complaints(judged({ kept: [], service: [] }))).toEqual(['missingIntents']);
    expect(complaints(judged({ kept: [], intents: [anIntent({ answer: 'none' })] }))).toEqual(['missingIntents']);
    expect(complaints(judged({ kept: [], service: [], intents: [anIntent({ answer: 'none' })] }))).toEqual([]);
    expect(complaints(judged({ kept: [], service: [], intents: [anIntent({ answer: 'refused' })] }))).toEqual([]);
  });

  it('may be unknown, and are counted with those that the service has', () => {
    const kept = [aKeptJob({ id: null, phase: 'outcome-unknown', status: null, output: null, chunks: [] })];
    expect(judged({ kept })).toMatchObject({ outcomeUnknown: ['m1'], outcomeUnknownButTaken: 1 });
    expect(judged({ kept, service: [] })).toMatchObject({ outcomeUnknown: ['m1'], outcomeUnknownButTaken: 0 });
    expect(complaints(judged({ kept }))).toEqual([]);
  });

  it('are missing if the service has the job and the history has it in another state without its id', () => {
    expect(complaints(judged({ kept: [aKeptJob({ id: null, phase: 'refused', output: null, chunks: [] })] }))).toEqual([
      'missingIntents',
    ]);
  });

  it('are not settled while anything is still expected', () => {
    expect(
      complaints(
        judged({ kept: [aKeptJob({ phase: 'active', status: 'IN_PROGRESS' })], service: [aServiceJob({ end: null })] }),
      ),
    ).toEqual(['unsettled']);
  });
});

describe('chunks and results reported to listeners', () => {
  const reported = (chunkCount: number, isResultSaved = false): Ledgers['reported'] =>
    new Map([['k1', { chunkCount, isResultSaved }]]);

  it('are on disk', () => {
    expect(complaints(judged({ reported: reported(3, true) }))).toEqual([]);
    expect(
      judged({ reported: reported(3), kept: [aKeptJob({ chunks: chunks.slice(0, 2) })] }).reportedTooMuch,
    ).toHaveLength(1);
    const withResult = { reported: reported(0, true) };
    expect(judged({ ...withResult, kept: [aKeptJob({ isResultSaved: false })] }).reportedTooMuch).toHaveLength(1);
    expect(judged({ ...withResult, kept: [aKeptJob({ phase: 'active' })] }).reportedTooMuch).toEqual([]);
  });

  it('may be more chunks if some were reported twice and are now whole', () => {
    expect(complaints(judged({ reported: reported(5) }))).toEqual([]);
  });
});
