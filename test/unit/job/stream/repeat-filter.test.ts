import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NewChunk } from '../../../../src-main/history/records.ts';
import { suspectedRepeats, withSuspectedRepeats } from '../../../../src-main/history/stream/suspected-repeats.ts';
import type { SuspectedRepeat } from '../../../../src-main/history/stream/suspected-repeats.ts';
import { RepeatFilter, fingerprint } from '../../../../src-main/job/stream/repeat-filter.ts';
import type { NewOfReply } from '../../../../src-main/job/stream/repeat-filter.ts';

/**
 * One reply as its letters, a chunk each; `cut`: it broke off behind them; `late`: asked for after the job's end;
 * `crash`: the app starts again.
 */
type Step = string | { cut: string } | { late: string } | { crash: true };

const crash: Step = { crash: true };

interface Played {
  /** What is stored while the stream is read. */
  stored: string;
  /** What is stored when it was read to its end. */
  ended: string;
  isComplete: boolean;
}

const chunkOf = (letter: string): NewChunk => ({ outputJson: JSON.stringify(letter), metricsJson: null });
const chunksOf = (text: string): NewChunk[] => [...text].map(chunkOf);

/** Plays replies to the filter as the stream reader does. */
function play(steps: readonly Step[]): Played {
  let disk: NewChunk[] = [];
  let noted: SuspectedRepeat[] = [];
  let filter = new RepeatFilter();
  const store = ({ recoveredCount, chunks }: NewOfReply): void => {
    const beforeCount = disk.length;
    if (recoveredCount > 0) disk = withSuspectedRepeats(disk, noted, (equal) => equal);
    expect(disk.length).toBe(beforeCount + recoveredCount);
    noted = suspectedRepeats.schema.parse(JSON.parse(JSON.stringify(filter.suspectedRepeats())));
    for (const chunk of chunks) disk.push(chunk);
  };
  const shown = (): string => disk.map(({ outputJson }) => String(JSON.parse(outputJson))).join('');
  for (const [receivedAtMs, step] of steps.entries()) {
    if (typeof step !== 'string' && 'crash' in step) {
      filter = new RepeatFilter(noted);
      filter.recall(disk);
    } else if (typeof step === 'string') store(filter.read(chunksOf(step), { receivedAtMs }));
    else if ('cut' in step) store(filter.read(chunksOf(step.cut), { receivedAtMs, isPartial: true }));
    else store(filter.read(chunksOf(step.late), { receivedAtMs, isAfterEnd: true }));
  }
  const stored = shown();
  const isComplete = filter.isComplete();
  store(filter.end());
  return { stored, ended: shown(), isComplete };
}

const storedAfter = (...steps: Step[]): string => play(steps).stored;
const endedAfter = (...steps: Step[]): string => play(steps).ended;

describe('a server that drains', () => {
  it('has every chunk stored once, even equal ones in a row', () => {
    expect(storedAfter('ab', '', 'cc', 'd')).toBe('abccd');
    expect(storedAfter('aa')).toBe('aa');
  });

  it('loses none that look like the beginning', () => {
    expect(storedAfter('aba', 'aba', '')).toBe('abaaba');
    expect(storedAfter('a', 'a', 'b')).toBe('aab');
    expect(storedAfter('abcd', 'ab', 'x')).toBe('abcdabx');
    expect(storedAfter('', 'a', '', 'a', 'a')).toBe('aaa');
  });

  it('may yield one value as often as it likes', () => {
    expect(storedAfter('w', 'w', 'w', 'w', 'w', '')).toBe('wwwww');
    expect(endedAfter('w', 'w', 'w', 'w')).toBe('wwww');
    expect(endedAfter('w', 'ww', 'w', '', 'w')).toBe('wwwww');
    expect(endedAfter('w', 'w', 'w', { late: 'w' }, { late: '' })).toBe('wwww');
    expect(endedAfter('w', 'w', { late: 'w' })).toBe('www');
  });

  it('has suspected repeats stored in their place as soon as a reply shows that they were new', () => {
    expect(storedAfter('a', 'ab', 'b')).toBe('aabb');
    expect(storedAfter('a', 'ab', '')).toBe('aab');
    expect(endedAfter('ab', '', 'abc', 'a')).toBe('ababca');
    expect(endedAfter('ab', '', 'abc', crash, 'a')).toBe('ababca');
  });

  it('cannot be distinguished from one that repeats if each reply is another round of the same three chunks', () => {
    expect(endedAfter('lsv', 'lsv', 'lsv', 'l', 's', 'v')).toBe('lsvlsv');
  });
});

describe('a server that drains and sometimes repeats from the start', () => {
  it('has every chunk stored once, whatever it did before', () => {
    expect(storedAfter('abc', 'abc', '')).toBe('abc');
    expect(storedAfter('ab', '', 'cd', 'abcdef', 'g', '', 'abcdefg', 'h')).toBe('abcdefgh');
  });

  it('is recognised in a reply that broke off', () => {
    expect(storedAfter('abcd', '', { cut: 'abc' })).toBe('abcd');
    expect(storedAfter('abcd', '', 'abc')).toBe('abcdabc');
  });

  it('is recognised by equal values too, if there are many', () => {
    expect(storedAfter('abca', '', 'da', 'abcadaa', '')).toBe('abcadaa');
    expect(endedAfter('a', 'aa', 'aab', 'aabc', 'aabcd', '')).toBe('aabcd');
  });

  it('is not assumed if chunks are alike, or few', () => {
    expect(endedAfter('aba', '', 'abab')).toBe('abaabab');
    expect(endedAfter('ab', '', 'ab')).toBe('abab');
    expect(endedAfter('a', '', 'abc')).toBe('aabc');
  });

  it('is not recognised if it repeated before three different chunks had come: both are kept', () => {
    expect(endedAfter('ab', '', 'abc', 'd', '')).toBe('ababcd');
    expect(endedAfter('a', '', 'ab', 'c', 'abcd', 'e')).toBe('aabcabcde');
  });

  it('is not recognised if a reply never arrived: both are kept', () => {
    expect(endedAfter('ab', 'fghi', '', 'abcdefghijk', 'l')).toBe('abfghiabcdefghijkl');
  });
});

describe('a server that repeats from the start', () => {
  it('has every chunk stored once', () => {
    expect(storedAfter('a', 'ab', 'ab', 'abcd')).toBe('abcd');
    expect(storedAfter('aab', 'aabb', 'aabbb')).toBe('aabbb');
  });

  it('is recognised after a restart, from what is stored', () => {
    expect(storedAfter('abc', crash, 'abcdef')).toBe('abcdef');
    expect(storedAfter('abc', crash, 'abc', 'abc', 'abc', 'abc', 'abcd')).toBe('abcd');
  });

  it('is distinguished from one that drains as soon as a reply does not begin at the start', () => {
    expect(storedAfter('abc', 'abcd', 'e')).toBe('abcde');
  });

  it('is complete when it repeats the same after the end', () => {
    expect(play(['abc', { late: 'abc' }])).toEqual({ stored: 'abc', ended: 'abc', isComplete: true });
    expect(play(['w', { late: 'w' }, { late: 'w' }]).isComplete).toBe(false);
    expect(play(['w', { late: 'w' }, { late: 'w' }, { late: 'w' }])).toEqual({
      stored: 'w',
      ended: 'w',
      isComplete: true,
    });
  });
});

/** Texts of few letters, so that repetitions by chance are common. */
const textOf = (...letters: string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...letters), { maxLength: 30 }).map((all) => all.join(''));
const distinctText = fc.integer({ min: 0, max: 26 }).map((length) => 'abcdefghijklmnopqrstuvwxyz'.slice(0, length));
const numRuns = 300;
const anyCuts = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 });
const crashes = fc.array(fc.nat(40), { maxLength: 3 });

/** A stream drained in these cuts, up to the empty reply behind its end. */
function drained(text: string, cuts: readonly number[]): string[] {
  const replies: string[] = [];
  let rest = text;
  for (const cut of [...cuts, rest.length]) {
    replies.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return [...replies, ''];
}

function withCrashes(steps: readonly Step[], at: readonly number[]): Step[] {
  return steps.flatMap((step, index) => (at.includes(index) ? [crash, step] : [step]));
}

describe('any stream, however it is cut into replies', () => {
  it('is stored whole from a server that drains if it yields no more than two values, even over crashes', () => {
    fc.assert(
      fc.property(textOf('a', 'b'), anyCuts, crashes, (text, cuts, at) => {
        expect(play(withCrashes(drained(text, cuts), at)).ended).toBe(text);
      }),
      { numRuns },
    );
  });

  it('is stored as far as it came from a server that drains such a stream in replies that break off', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ text: textOf('a', 'b'), isCut: fc.boolean() }), { maxLength: 20 }),
        crashes,
        (replies, at) => {
          const steps: Step[] = replies.map(({ text, isCut }) => (isCut ? { cut: text } : text));
          expect(play(withCrashes([...steps, ''], at)).ended).toBe(replies.map(({ text }) => text).join(''));
        },
      ),
      { numRuns },
    );
  });

  it('is stored whole from a server that drains, if only the first reply begins like the stream and has three values', () => {
    fc.assert(
      fc.property(textOf('a', 'b', 'c', 'd'), anyCuts, (text, cuts) => {
        const replies = drained(text, cuts);
        const first = replies.findIndex((reply) => reply !== '');
        fc.pre(replies.every((reply, at) => at <= first || reply[0] !== text[0] || new Set(reply).size < 3));
        expect(play(replies).ended).toBe(text);
      }),
      { numRuns },
    );
  });

  it('is stored whole and immediately from a server that drains if its chunks differ', () => {
    fc.assert(
      fc.property(distinctText, anyCuts, crashes, (text, cuts, at) => {
        const steps = withCrashes(drained(text, cuts), at);
        expect(play(steps)).toMatchObject({ stored: text, ended: text });
      }),
    );
  });

  it('is stored once and immediately from a server that only repeats, even over crashes', () => {
    fc.assert(
      fc.property(textOf('a', 'b', 'c', 'd'), anyCuts, crashes, (text, cuts, at) => {
        let length = 0;
        const replies: Step[] = cuts.map((cut) => text.slice(0, (length = Math.min(text.length, length + cut))));
        const told = text.slice(0, length);
        expect(play(withCrashes(replies, at)).stored).toBe(told);
        // Read on until that says that there is no more.
        const ends = [1, 2, 3].map((count) =>
          play([...withCrashes(replies, at), ...Array.from({ length: count }, () => ({ late: told }))]),
        );
        expect(ends.find(({ isComplete }) => isComplete) ?? ends.at(-1)).toMatchObject({
          stored: told,
          ended: told,
          isComplete: told !== '',
        });
      }),
      { numRuns },
    );
  });

  const turns = fc.array(fc.record({ cut: fc.nat(5), isRepeated: fc.boolean() }), { maxLength: 30 });
  const interleaved = (
    text: string,
    all: readonly { cut: number; isRepeated: boolean }[],
  ): { from: number; to: number; text: string }[] => {
    let reached = 0;
    return [...all, { cut: text.length, isRepeated: false }].map(({ cut, isRepeated }) => {
      const from = isRepeated ? 0 : reached;
      reached = Math.min(text.length, reached + cut);
      return { from, to: reached, text: text.slice(from, reached) };
    });
  };

  it('is stored once and immediately from a server that drains and repeats, if its chunks differ and three came before it repeats', () => {
    fc.assert(
      fc.property(distinctText, turns, crashes, (text, all, at) => {
        const replies = interleaved(text, all);
        const cameBefore = (index: number): number => Math.max(0, ...replies.slice(0, index).map(({ to }) => to));
        fc.pre(replies.every(({ from, to }, index) => from > 0 || to === 0 || ![1, 2].includes(cameBefore(index))));
        const steps = withCrashes([...replies.map((reply) => reply.text), ''], at);
        expect(play(steps)).toMatchObject({ stored: text, ended: text });
      }),
    );
  });

  it('never has a chunk stored twice that came once, and loses none for good', () => {
    fc.assert(
      fc.property(fc.array(textOf('a', 'b', 'c', 'd'), { maxLength: 12 }), crashes, (replies, at) => {
        const { stored, ended } = play(withCrashes(replies, at));
        const came = replies.join('');
        for (const kept of [stored, ended])
          for (const letter of 'abcd') {
            const count = (text: string): number => text.split(letter).length;
            expect(count(kept)).toBeLessThanOrEqual(count(came));
            if (came.includes(letter)) expect(kept).toContain(letter);
          }
      }),
      { numRuns },
    );
  });
});

it('distinguishes chunks by output and metrics', () => {
  const marks = [
    { outputJson: '1', metricsJson: null },
    { outputJson: '1', metricsJson: 'null' },
    { outputJson: '1', metricsJson: '{}' },
    { outputJson: '11', metricsJson: null },
    { outputJson: '1+', metricsJson: null },
  ].map(fingerprint);
  expect(new Set(marks).size).toBe(5);
});

it('accepts a reply with more chunks than a call takes arguments', () => {
  const many = Array.from({ length: 150_000 }, (_, at): NewChunk => ({ outputJson: `"${at}"`, metricsJson: null }));
  expect(new RepeatFilter().read(many, { receivedAtMs: 1 }).chunks).toHaveLength(150_000);
});

it('counts everything left out as new, however often it was', () => {
  const filter = new RepeatFilter();
  for (let receivedAtMs = 0; receivedAtMs < 300; receivedAtMs += 1) filter.read(chunksOf('www'), { receivedAtMs });
  expect(filter.read([], { receivedAtMs: 301 })).toEqual({ recoveredCount: 299 * 3, chunks: [] });
});
