import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSubscriptions } from '../../../src-main/job/subscriptions.ts';
import type { StreamMessage } from '../../../src-preload/contract.ts';
import type { StreamChunk } from '../../../src-preload/job.ts';

const chunkAt = (seq: number): StreamChunk => ({ seq, outputJson: String(seq), metricsJson: null, receivedAtMs: 0 });

/** Stored chunks whose reads take as many turns as a test says. */
function aStore(turns: () => number = () => 1) {
  const stored: StreamChunk[] = [];
  let over: { status: string | null } | null = null;
  const wait = async (): Promise<void> => {
    for (let turn = turns(); turn > 0; turn -= 1) await Promise.resolve();
  };
  const subscriptions = createSubscriptions({
    async readChunks(_key, _attempt, fromSeq, limit) {
      const found = stored.slice(fromSeq, fromSeq + limit);
      await wait();
      return found;
    },
    async statusAtEnd() {
      await wait();
      return over;
    },
    onAttention: () => undefined,
    onTrouble: (error) => { throw error; },
  });
  return {
    subscriptions,
    keep(count: number) {
      const placed = Array.from({ length: count }, (_, index) => chunkAt(stored.length + index));
      stored.push(...placed);
      subscriptions.kept('k', 1, placed);
    },
    end(status: string) {
      over = { status };
      subscriptions.ended('k', 1, status);
    },
  };
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 200; turn += 1) await Promise.resolve();
};
const seqsOf = (news: StreamMessage[]): number[] => news.flatMap((message) => (message.kind === 'chunks' ? message.chunks.map(({ seq }) => seq) : []));
const upTo = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);

describe('a pane', () => {
  it('gets what is stored, then what comes, then the end', async () => {
    const store = aStore();
    store.keep(3);
    const news: StreamMessage[] = [];
    store.subscriptions.subscribe('k', 1, 1, (message) => news.push(message));
    await settle();
    store.keep(2);
    store.end('COMPLETED');
    expect(seqsOf(news)).toEqual([1, 2, 3, 4]);
    expect(news.at(-1)).toEqual({ kind: 'ended', status: 'COMPLETED' });
  });

  it('hears at once that an attempt is over, and only once', async () => {
    const store = aStore();
    store.keep(1);
    store.end('FAILED');
    const news: StreamMessage[] = [];
    store.subscriptions.subscribe('k', 1, 0, (message) => news.push(message));
    store.end('FAILED');
    await settle();
    expect(news.map(({ kind }) => kind)).toEqual(['chunks', 'ended']);
  });

  it('hears nothing after it left', async () => {
    const store = aStore();
    const news: StreamMessage[] = [];
    const leave = store.subscriptions.subscribe('k', 1, 0, (message) => news.push(message));
    expect(store.subscriptions.isAttended('k')).toBe(true);
    leave();
    store.keep(2);
    await settle();
    expect(news).toEqual([]);
    expect(store.subscriptions.isAttended('k')).toBe(false);
  });

  it('goes on with the next attempt from its first chunk', async () => {
    const store = aStore();
    store.keep(2);
    const news: StreamMessage[] = [];
    store.subscriptions.subscribe('k', 1, 0, (message) => news.push(message));
    await settle();
    store.end('FAILED');
    store.subscriptions.began('k', 2);
    store.subscriptions.kept('k', 2, [chunkAt(0)]);
    expect(news.map(({ kind }) => kind)).toEqual(['chunks', 'ended', 'attempt', 'chunks']);
    expect(seqsOf(news)).toEqual([0, 1, 0]);
  });

  it('that has begun to tell is told no chunk that another one moved to its place', async () => {
    const store = aStore();
    store.keep(3);
    const [old, fresh]: [StreamMessage[], StreamMessage[]] = [[], []];
    store.subscriptions.subscribe('k', 1, 0, (message) => old.push(message));
    await settle();
    store.subscriptions.subscribe('k', 1, 0, (message) => fresh.push(message));
    store.subscriptions.replaced('k', 1);
    store.keep(2);
    await settle();
    expect(seqsOf(old)).toEqual([0, 1, 2]);
    expect(seqsOf(fresh)).toEqual([0, 1, 2, 3, 4]);
    store.end('COMPLETED');
    expect(old.at(-1)).toEqual({ kind: 'ended', status: 'COMPLETED' });
  });

  it('that shows an older attempt stays there', async () => {
    const store = aStore();
    const news: StreamMessage[] = [];
    store.subscriptions.subscribe('k', 1, 0, (message) => news.push(message));
    await settle();
    store.subscriptions.began('k', 3);
    expect(news).toEqual([]);
  });
});

it('gives every pane every chunk from where it asked, once and in order, however reads and news interleave', async () => {
  const anyAct = fc.oneof(
    { weight: 3, arbitrary: fc.record({ act: fc.constant('keep' as const), count: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('subscribe' as const), fromSeq: fc.integer({ min: 0, max: 6 }) }) },
    { weight: 3, arbitrary: fc.record({ act: fc.constant('wait' as const), turns: fc.integer({ min: 1, max: 6 }) }) },
  );
  await fc.assert(fc.asyncProperty(fc.array(anyAct, { maxLength: 40 }), fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 20 }), async (acts, delays) => {
    let reads = 0;
    const store = aStore(() => delays[(reads += 1) % delays.length] ?? 1);
    const panes: { fromSeq: number; news: StreamMessage[] }[] = [];
    let total = 0;
    for (const act of acts) {
      if (act.act === 'keep') {
        store.keep(act.count);
        total += act.count;
      } else if (act.act === 'subscribe') {
        const pane = { fromSeq: act.fromSeq, news: [] as StreamMessage[] };
        panes.push(pane);
        store.subscriptions.subscribe('k', 1, act.fromSeq, (message) => pane.news.push(message));
      } else {
        for (let turn = 0; turn < act.turns; turn += 1) await Promise.resolve();
      }
    }
    store.end('COMPLETED');
    await settle();
    for (const { fromSeq, news } of panes) {
      expect(seqsOf(news)).toEqual(upTo(fromSeq, total));
      expect(news.filter(({ kind }) => kind === 'ended')).toHaveLength(1);
      expect(news.at(-1)?.kind).toBe('ended');
    }
  }));
});
