import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NewChunk } from '../../../src-main/history/history.ts';
import { fingerprint, sift, unknownReplay } from '../../../src-main/job/replay.ts';
import type { ReplayState } from '../../../src-main/job/replay.ts';

const chunk = (text: string): NewChunk => ({ outputJson: JSON.stringify(text), metricsJson: null });
const chunksOf = (text: string): NewChunk[] => [...text].map(chunk);
const textOf = (chunks: readonly NewChunk[]): string => chunks.map(({ outputJson }) => JSON.parse(outputJson)).join('');

/** What is stored after these replies, each written as one letter a chunk. */
function storedAfter(replies: string[], start: { stored?: string; state?: ReplayState } = {}): { stored: string; state: ReplayState } {
  let stored = start.stored ?? '';
  let state = start.state ?? unknownReplay;
  for (const reply of replies) {
    const sifted = sift(state, chunksOf(stored).map(fingerprint), chunksOf(reply));
    stored += textOf(sifted.fresh);
    state = sifted.state;
  }
  return { stored, state };
}

describe('a server that drains', () => {
  it('has every chunk stored once, equal ones in a row too', () => {
    expect(storedAfter(['ab', '', 'cc', 'd']).stored).toBe('abccd');
    expect(storedAfter(['aa']).stored).toBe('aa');
  });

  it('loses none that looks like the beginning', () => {
    expect(storedAfter(['aba', 'aba', '']).stored).toBe('abaaba');
    expect(storedAfter(['a', 'a', 'b']).stored).toBe('aab');
    expect(storedAfter(['abcd', 'ab', 'x']).stored).toBe('abcdabx');
    expect(storedAfter(['', 'a', '', 'a', 'a']).stored).toBe('aaa');
  });
});

describe('a server that drains and repeats from the start now and then', () => {
  it('has every chunk stored once, whatever it did before', () => {
    expect(storedAfter(['abc', 'abc', '']).stored).toBe('abc');
    expect(storedAfter(['ab', '', 'cd', 'abcdef', 'g', '', 'abcdefg', 'h']).stored).toBe('abcdefgh');
  });

  it('is recognised by two chunks already where the reply goes on behind them', () => {
    expect(storedAfter(['ab', '', 'abc', 'd', '', 'abcde']).stored).toBe('abcde');
  });

  it('is recognised in a reply that broke off', () => {
    const stored = chunksOf('abcd').map(fingerprint);
    expect(sift({ mode: 'drains', held: [], doubts: 0 }, stored, chunksOf('abc'), true).fresh).toEqual([]);
    expect(sift({ mode: 'drains', held: [], doubts: 0 }, stored, chunksOf('abc'), false).fresh).toHaveLength(3);
  });

  it('is not taken for granted where chunks are alike, or few', () => {
    expect(storedAfter(['aba', '', 'abab']).stored).toBe('abaabab');
    expect(storedAfter(['ab', '', 'ab']).stored).toBe('abab');
    expect(storedAfter(['a', '', 'abc']).stored).toBe('aabc');
  });
});

describe('a server that repeats from the start', () => {
  it('has every chunk stored once', () => {
    expect(storedAfter(['a', 'ab', 'ab', 'abcd']).stored).toBe('abcd');
    expect(storedAfter(['aab', 'aabb', 'aabbb']).stored).toBe('aabbb');
  });

  it('is recognised after a restart, from what is stored', () => {
    expect(storedAfter(['abcdef'], { stored: 'abc' })).toEqual({ stored: 'abcdef', state: { mode: 'repeats', held: [], doubts: 0 } });
    expect(storedAfter(['abc', 'abc', 'abc', 'abc', 'abcd'], { stored: 'abc' }).stored).toBe('abcd');
  });

  it('is told apart from one that drains as soon as a reply does not begin at the start', () => {
    const { stored, state } = storedAfter(['abc', 'abcd', 'e']);
    expect(stored).toBe('abcde');
    expect(state.mode).toBe('drains');
  });
});

/** Texts of few letters, so that repetitions by chance are common. */
const anyText = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 }).map((letters) => letters.join(''));
const distinctText = fc.integer({ min: 0, max: 26 }).map((length) => 'abcdefghijklmnopqrstuvwxyz'.slice(0, length));
const anyCuts = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 });

describe('whatever is streamed and however it is cut into replies', () => {
  it('stores a drained stream whole when its chunks differ', () => {
    fc.assert(fc.property(distinctText, anyCuts, (text, cuts) => {
      const replies: string[] = [];
      let rest = text;
      for (const cut of cuts) {
        replies.push(rest.slice(0, cut));
        rest = rest.slice(cut);
      }
      expect(storedAfter([...replies, rest, '']).stored).toBe(text);
    }));
  });

  it('stores a drained stream whole once an empty reply gave it away, even of equal chunks, but for a reply that tells all again', () => {
    fc.assert(fc.property(anyText, anyCuts, (text, cuts) => {
      const first = text.slice(0, 1);
      const replies: string[] = [first, ''];
      let rest = text.slice(1);
      for (const cut of [...cuts, rest.length]) {
        const reply = rest.slice(0, cut);
        const before = text.slice(0, text.length - rest.length);
        fc.pre(!(before.length >= (reply.length > before.length ? 2 : 3) && reply.startsWith(before) && new Set(reply).size === reply.length));
        replies.push(reply);
        rest = rest.slice(cut);
      }
      expect(storedAfter(replies).stored).toBe(text);
    }));
  });

  it('stores a stream of unlike chunks once, drained or repeated in any order', () => {
    fc.assert(fc.property(distinctText, fc.array(fc.record({ cut: fc.nat(5), isRepeated: fc.boolean() }), { maxLength: 30 }), (text, steps) => {
      let at = 0;
      const replies: string[] = [];
      for (const { cut, isRepeated } of steps) {
        const until = Math.min(text.length, at + cut);
        // One or two chunks that come twice could be four.
        replies.push(text.slice(isRepeated && at > 2 ? 0 : at, until));
        at = until;
      }
      expect(storedAfter([...replies, text.slice(at)]).stored).toBe(text);
    }));
  });

  it('stores a repeated stream once, also over a restart in between', () => {
    fc.assert(fc.property(anyText, anyCuts, fc.nat(40), (text, cuts, restartAt) => {
      let length = 0;
      let now: { stored: string; state: ReplayState } = { stored: '', state: unknownReplay };
      for (const [index, cut] of cuts.entries()) {
        length = Math.min(text.length, length + cut);
        const state = index === restartAt ? unknownReplay : now.state;
        now = storedAfter([text.slice(0, length)], { stored: now.stored, state });
      }
      // What is only repeated is not stored again; what is new is.
      expect(now.stored).toBe(text.slice(0, length));
    }));
  });

  it('stores what it was given in the order it was given, never twice what came once', () => {
    fc.assert(fc.property(fc.array(anyText, { maxLength: 12 }), (replies) => {
      const { stored, state } = storedAfter(replies);
      expect(stored.length + state.held.length).toBeLessThanOrEqual(replies.join('').length);
    }));
  });
});

it('tells chunks apart by output and metrics', () => {
  const marks = [{ outputJson: '1', metricsJson: null }, { outputJson: '1', metricsJson: 'null' }, { outputJson: '1', metricsJson: '{}' }, { outputJson: '11', metricsJson: null }, { outputJson: '1+', metricsJson: null }].map(fingerprint);
  expect(new Set(marks).size).toBe(5);
});
