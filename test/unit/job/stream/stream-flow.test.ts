import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStreamFlow } from '../../../../src-main/job/stream/stream-flow.ts';
import type { StreamMessage } from '../../../../src-preload/contract.ts';
import type { StreamChunk } from '../../../../src-preload/job.ts';

function chunk(seq: number, chars = 4): StreamChunk {
  return { seq, outputJson: 'x'.repeat(chars), metricsJson: null, receivedAtMs: 0 };
}

/** A flow with timers run by hand. */
function aFlow() {
  const sent: StreamMessage[] = [];
  let timer: (() => void) | null = null;
  let tellNews: (news: StreamMessage) => void = () => undefined;
  let isSubscribed = true;
  const flow = createStreamFlow({
    subscribe: (listener) => {
      tellNews = listener;
      return () => {
        isSubscribed = false;
      };
    },
    send: (message) => sent.push(message),
    setTimer: (run) => {
      timer = run;
      return () => {
        timer = null;
      };
    },
  });
  return {
    flow,
    sent,
    news: (news: StreamMessage) => tellNews(news),
    tick: () => {
      const run = timer;
      timer = null;
      run?.();
    },
    isSubscribed: () => isSubscribed,
    hasTimer: () => timer !== null,
  };
}

const seqsOf = (messages: StreamMessage[]): number[] =>
  messages.flatMap((message) => (message.kind === 'chunks' ? message.chunks.map((c) => c.seq) : []));

describe('createStreamFlow', () => {
  it('collects chunks that arrive within one tick into one message', () => {
    const { news, tick, sent } = aFlow();
    news({ kind: 'chunks', chunks: [chunk(0)] });
    news({ kind: 'chunks', chunks: [chunk(1), chunk(2)] });
    expect(sent).toEqual([]);
    tick();
    expect(sent).toHaveLength(1);
    expect(seqsOf(sent)).toEqual([0, 1, 2]);
  });

  it('cuts messages at 64 KB, and still sends a single chunk that is larger', () => {
    const { news, tick, sent } = aFlow();
    news({ kind: 'chunks', chunks: [chunk(0, 40_000), chunk(1, 40_000), chunk(2, 900_000)] });
    tick();
    expect(sent.map((message) => (message.kind === 'chunks' ? message.chunks.length : 0))).toEqual([1, 1, 1]);
  });

  it('accepts more chunks at once than a call takes arguments', () => {
    const { news, tick, sent } = aFlow();
    news({ kind: 'chunks', chunks: Array.from({ length: 200_000 }, (_, seq) => chunk(seq, 1)) });
    tick();
    expect(seqsOf(sent)).toHaveLength(2_000);
  });

  it('cuts messages at 500 chunks, however small they are', () => {
    const { news, tick, sent } = aFlow();
    news({ kind: 'chunks', chunks: Array.from({ length: 1_200 }, (_, seq) => chunk(seq, 1)) });
    tick();
    expect(sent.map((message) => (message.kind === 'chunks' ? message.chunks.length : 0))).toEqual([500, 500, 200]);
    expect(seqsOf(sent)).toEqual(Array.from({ length: 1_200 }, (_, seq) => seq));
  });

  it('stops after four unanswered messages and continues when the window answers', () => {
    const { news, tick, sent, flow } = aFlow();
    news({ kind: 'chunks', chunks: Array.from({ length: 6 }, (_, seq) => chunk(seq, 65_000)) });
    tick();
    expect(seqsOf(sent)).toEqual([0, 1, 2, 3]);
    flow.grant(1);
    tick();
    expect(seqsOf(sent)).toEqual([0, 1, 2, 3, 4]);
  });

  it('keeps notices in their place between chunks', () => {
    const { news, tick, sent } = aFlow();
    news({ kind: 'chunks', chunks: [chunk(0)] });
    news({ kind: 'attempt', attempt: 2 });
    news({ kind: 'chunks', chunks: [chunk(0)] });
    news({ kind: 'ended', status: 'COMPLETED' });
    tick();
    expect(sent.map((message) => message.kind)).toEqual(['chunks', 'attempt', 'chunks', 'ended']);
  });

  it('ends its subscription and its timer when closed', () => {
    const { news, flow, sent, tick, isSubscribed, hasTimer } = aFlow();
    news({ kind: 'chunks', chunks: [chunk(0)] });
    flow.close();
    expect(isSubscribed()).toBe(false);
    expect(hasTimer()).toBe(false);
    tick();
    expect(sent).toEqual([]);
  });

  it('delivers every chunk exactly once and in order, whatever the credit', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.integer({ min: 1, max: 90_000 }).map((chars) => ({ chars })),
            fc.constant({ grant: 1 }),
            fc.constant({ tick: true }),
          ),
          { maxLength: 200 },
        ),
        (steps) => {
          const { news, tick, sent, flow } = aFlow();
          let seq = 0;
          for (const step of steps) {
            if ('chars' in step) news({ kind: 'chunks', chunks: [chunk(seq++, step.chars)] });
            else if ('grant' in step) flow.grant(step.grant);
            else tick();
          }
          for (let left = 0; left <= seq; left += 1) {
            flow.grant(1);
            tick();
          }
          expect(seqsOf(sent)).toEqual(Array.from({ length: seq }, (_, index) => index));
        },
      ),
    );
  });
});
