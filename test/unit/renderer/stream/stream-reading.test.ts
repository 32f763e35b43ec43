import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Subscriptions } from '../../../../src-main/job/stream/subscriptions.ts';
import type { Result } from '../../../../src-preload/failure.ts';
import type { StreamChunk } from '../../../../src-preload/job.ts';
import { digestOf, type StreamPage } from '../../../../src-preload/stream-digest.ts';
import { createStreamReading } from '../../../../src-renderer/stream/stream-reading.ts';
import { joinText } from '../../../../src-renderer/stream/text-source.ts';

/**
 * Saved chunks as a window receives them: read in pages of three, in as many turns as a test says, and reported in a
 * turn of their own.
 */
function aStore(turns: () => number = () => 1) {
  let stored: StreamChunk[] = [];
  let over: { status: string | null } | null = null;
  let failure: string | null = null;
  let pagesRead = 0;
  const wait = async (): Promise<void> => {
    for (let turn = turns(); turn > 0; turn -= 1) await Promise.resolve();
  };
  const subscriptions = new Subscriptions({
    async statusAtEnd() {
      await wait();
      return over;
    },
    onAttention: () => undefined,
    onTrouble: (error) => {
      throw error;
    },
  });
  const numbered = (texts: readonly string[]): StreamChunk[] =>
    texts.map((text, seq) => ({ seq, outputJson: JSON.stringify(text), metricsJson: null, receivedAtMs: seq }));
  return {
    subscriptions,
    pagesRead: () => pagesRead,
    text: () => digestOf(stored).text,
    fail: (message: string | null) => {
      failure = message;
    },
    reading: () =>
      createStreamReading({
        async readPage(fromSeq): Promise<Result<StreamPage>> {
          pagesRead += 1;
          const chunks = stored.slice(fromSeq, fromSeq + 3);
          const isLast = fromSeq + chunks.length >= stored.length;
          const failed = failure;
          await wait();
          if (failed !== null) return { ok: false, failure: { kind: 'storage', message: failed } };
          return {
            ok: true,
            value: {
              fromSeq,
              nextSeq: fromSeq + chunks.length,
              isLast,
              firstReceivedAtMs: chunks[0]?.receivedAtMs ?? null,
              digest: digestOf(chunks),
            },
          };
        },
        openPort: (onMessage) => subscriptions.subscribe('k', 1, onMessage),
      }),
    keep(count: number, isReported = true) {
      const from = stored.length;
      stored = numbered([
        ...stored.map(({ outputJson }): string => JSON.parse(outputJson)),
        ...Array.from({ length: count }, (_, at) => `${from + at} `),
      ]);
      if (isReported) subscriptions.kept('k', 1, stored.slice(from));
    },
    /** Takes out every third chunk and puts another two behind the first. */
    repair() {
      const texts = stored.map(({ outputJson }): string => JSON.parse(outputJson)).filter((_, at) => at % 3 !== 2);
      stored = numbered([...texts.slice(0, 1), 'repaired ', 'too ', ...texts.slice(1)]);
      subscriptions.replaced('k', 1);
    },
    end(status: string) {
      over = { status };
      subscriptions.ended('k', 1, status);
    },
  };
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 500; turn += 1) await Promise.resolve();
};

describe('a reading of a stream', () => {
  it('reads the saved part in pages, accepts new chunks, and ends', async () => {
    const store = aStore();
    store.keep(10);
    const reading = store.reading();
    const versions: number[] = [];
    reading.subscribe(() => versions.push(reading.version));
    reading.open();
    await settle();
    expect(store.pagesRead()).toBe(4);
    store.keep(2);
    store.end('COMPLETED');
    expect(joinText(reading.log)).toBe(store.text());
    expect(reading.log.ended).toEqual({ status: 'COMPLETED' });
    expect(store.pagesRead()).toBe(4);
    expect(versions).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('fills missed chunks from disk', async () => {
    const store = aStore();
    const reading = store.reading();
    reading.open();
    await settle();
    store.keep(4);
    store.keep(3, false);
    store.keep(1);
    await settle();
    expect(joinText(reading.log)).toBe(store.text());
  });

  it('does not end a stream before it was read to its end', async () => {
    const store = aStore();
    store.keep(30);
    store.end('COMPLETED');
    const reading = store.reading();
    reading.subscribe(() => {
      if (reading.log.ended !== null) expect(reading.log.chunkCount).toBe(30);
    });
    reading.open();
    await settle();
    expect(reading.log.ended).toEqual({ status: 'COMPLETED' });
  });

  it('shows the former chunks until the repaired ones are all read', async () => {
    const store = aStore();
    store.keep(9);
    const reading = store.reading();
    reading.open();
    await settle();
    const former = store.text();
    const seen = new Set<string>();
    reading.subscribe(() => seen.add(joinText(reading.log)));
    store.repair();
    store.end('COMPLETED');
    await settle();
    expect([...seen]).toEqual([store.text()]);
    expect(store.text()).not.toBe(former);
    expect(reading.log.ended).toEqual({ status: 'COMPLETED' });
  });

  it('says why it cannot read, keeps what it has, and continues when opened again', async () => {
    const store = aStore();
    store.keep(2);
    store.fail('The disk refused.');
    const reading = store.reading();
    const stop = reading.open();
    await settle();
    expect(reading.problem).toBe('The disk refused.');
    stop();
    store.fail(null);
    reading.open();
    await settle();
    expect(reading.problem).toBeNull();
    expect(joinText(reading.log)).toBe(store.text());
  });

  it('picks up chunks that were repaired while it was closed', async () => {
    const store = aStore();
    store.keep(9);
    const reading = store.reading();
    const stop = reading.open();
    await settle();
    stop();
    store.repair();
    reading.open();
    await settle();
    expect(joinText(reading.log)).toBe(store.text());
  });

  it('adds no new chunks after former ones if the repaired ones could not be read', async () => {
    const store = aStore();
    store.keep(9);
    const reading = store.reading();
    reading.open();
    await settle();
    store.fail('The disk refused.');
    store.repair();
    await settle();
    expect(reading.problem).toBe('The disk refused.');
    store.fail(null);
    store.keep(3);
    await settle();
    expect(reading.problem).toBeNull();
    expect(joinText(reading.log)).toBe(store.text());
  });

  it('stays with its attempt when the next one begins', async () => {
    const store = aStore();
    store.keep(2);
    const reading = store.reading();
    reading.open();
    await settle();
    store.subscriptions.began('k', 2);
    store.subscriptions.kept('k', 2, [{ seq: 2, outputJson: '"other"', metricsJson: null, receivedAtMs: 0 }]);
    expect(joinText(reading.log)).toBe('0 1 ');
    expect(store.subscriptions.isAttended('k')).toBe(false);
  });
});

it('results in the whole stream, once and in order, however reads, new chunks and repairing interleave', async () => {
  const anyAct = fc.oneof(
    { weight: 3, arbitrary: fc.record({ act: fc.constant('keep' as const), count: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('open' as const) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('repair' as const) }) },
    { weight: 3, arbitrary: fc.record({ act: fc.constant('wait' as const), turns: fc.integer({ min: 1, max: 6 }) }) },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyAct, { maxLength: 40 }),
      fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 20 }),
      async (acts, delays) => {
        let reads = 0;
        const store = aStore(() => delays[(reads += 1) % delays.length] ?? 1);
        const readings: ReturnType<typeof store.reading>[] = [];
        for (const act of acts) {
          if (act.act === 'keep') store.keep(act.count);
          else if (act.act === 'repair') store.repair();
          else if (act.act === 'open') {
            const reading = store.reading();
            readings.push(reading);
            reading.open();
          } else for (let turn = 0; turn < act.turns; turn += 1) await Promise.resolve();
        }
        store.end('COMPLETED');
        await settle();
        for (const { log } of readings) {
          expect(joinText(log)).toBe(store.text());
          expect(log.ended).toEqual({ status: 'COMPLETED' });
        }
      },
    ),
  );
});
