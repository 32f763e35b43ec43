import { describe, expect, it } from 'vitest';
import { Subscriptions } from '../../../../src-main/job/stream/subscriptions.ts';
import type { StreamMessage } from '../../../../src-preload/contract.ts';
import type { StreamChunk } from '../../../../src-preload/job.ts';

const chunkAt = (seq: number): StreamChunk => ({ seq, outputJson: String(seq), metricsJson: null, receivedAtMs: 0 });

function someSubscriptions(over: { status: string | null } | null = null) {
  return new Subscriptions({
    statusAtEnd: async () => over,
    onAttention: () => undefined,
    onTrouble: (error) => {
      throw error;
    },
  });
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

describe('a pane', () => {
  it('receives the chunks, and the end once', async () => {
    const subscriptions = someSubscriptions();
    const news: StreamMessage[] = [];
    subscriptions.subscribe('k', 1, (message) => news.push(message));
    subscriptions.kept('k', 1, [chunkAt(3), chunkAt(4)]);
    subscriptions.kept('other', 1, [chunkAt(0)]);
    subscriptions.replaced('k', 1);
    subscriptions.ended('k', 1, 'COMPLETED');
    subscriptions.ended('k', 1, 'COMPLETED');
    await settle();
    expect(news).toEqual([
      { kind: 'chunks', chunks: [chunkAt(3), chunkAt(4)] },
      { kind: 'replaced' },
      { kind: 'ended', status: 'COMPLETED' },
    ]);
  });

  it('is notified that an attempt was over before it subscribed, and only once', async () => {
    const subscriptions = someSubscriptions({ status: 'FAILED' });
    const news: StreamMessage[] = [];
    subscriptions.subscribe('k', 1, (message) => news.push(message));
    subscriptions.ended('k', 1, 'FAILED');
    await settle();
    expect(news).toEqual([{ kind: 'ended', status: 'FAILED' }]);
  });

  it('receives nothing after it unsubscribed', async () => {
    const subscriptions = someSubscriptions({ status: 'COMPLETED' });
    const news: StreamMessage[] = [];
    const leave = subscriptions.subscribe('k', 1, (message) => news.push(message));
    expect(subscriptions.isAttended('k')).toBe(true);
    leave();
    subscriptions.kept('k', 1, [chunkAt(0)]);
    await settle();
    expect(news).toEqual([]);
    expect(subscriptions.isAttended('k')).toBe(false);
  });

  it('continues with the next attempt', () => {
    const subscriptions = someSubscriptions();
    const news: StreamMessage[] = [];
    subscriptions.subscribe('k', 1, (message) => news.push(message));
    subscriptions.ended('k', 1, 'FAILED');
    subscriptions.began('k', 2);
    subscriptions.kept('k', 2, [chunkAt(0)]);
    subscriptions.ended('k', 2, 'COMPLETED');
    expect(news.map(({ kind }) => kind)).toEqual(['ended', 'attempt', 'chunks', 'ended']);
  });

  it('that shows an older attempt stays there', () => {
    const subscriptions = someSubscriptions();
    const news: StreamMessage[] = [];
    subscriptions.subscribe('k', 1, (message) => news.push(message));
    subscriptions.began('k', 3);
    subscriptions.kept('k', 3, [chunkAt(0)]);
    expect(news).toEqual([]);
  });
});
