import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NewChunk } from '../../../../src-main/history/records.ts';
import { areChunksCounted } from '../../../../src-main/job/stream/counted-chunks.ts';
import { beingOrdered, beingPutBack, leftOfThem, readLeftOut } from '../../../../src-main/job/stream/left-out.ts';
import { createReplay, fingerprint } from '../../../../src-main/job/stream/replay.ts';
import type { Replay } from '../../../../src-main/job/stream/replay.ts';
import type { StreamChunk } from '../../../../src-preload/job.ts';

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
  isToldOut: boolean;
}

type ChunkOf = (letter: string) => NewChunk;
const plainChunk: ChunkOf = (letter) => ({ outputJson: JSON.stringify(letter), metricsJson: null });
/** `a` is the first, `b` the second. */
const placeOf = (letter: string): number => letter.charCodeAt(0) - 97;
const numberedChunk: ChunkOf = (letter) => ({
  outputJson: JSON.stringify({ text: 'so', step: placeOf(letter) }),
  metricsJson: null,
});
const indexedChunk: ChunkOf = (letter) => ({
  outputJson: '{"text":["so"]}',
  metricsJson: JSON.stringify({ running: 1, stream_index: placeOf(letter) }),
});

/** Plays replies to the code as the stream reader does. */
function play(steps: readonly Step[], chunkOf: ChunkOf = plainChunk): Played {
  const letters = new Map<string, string>();
  const chunksOf = (text: string): NewChunk[] =>
    [...text].map((letter) => {
      const chunk = chunkOf(letter);
      letters.set(fingerprint(chunk), letter);
      return chunk;
    });
  let disk: StreamChunk[] = [];
  let replay: Replay = createReplay();
  const store = (replies: ReturnType<Replay['take']>): void => {
    for (const { chunks, receivedAtMs } of replies)
      for (const chunk of chunks) disk.push({ ...chunk, seq: disk.length, receivedAtMs });
  };
  const shown = (chunks: readonly StreamChunk[]): string =>
    chunks.map((chunk) => letters.get(fingerprint(chunk)) ?? '?').join('');
  for (const [index, step] of steps.entries()) {
    if (typeof step !== 'string' && 'crash' in step) {
      replay = createReplay(readLeftOut(JSON.stringify(replay.leftOut())));
      replay.recall(disk);
    } else if (typeof step === 'string') store(replay.take(chunksOf(step), { receivedAtMs: index }));
    else if ('cut' in step) store(replay.take(chunksOf(step.cut), { receivedAtMs: index, isPartial: true }));
    else store(replay.take(chunksOf(step.late), { receivedAtMs: index, isAfterEnd: true }));
  }
  const stored = shown(disk);
  const isToldOut = replay.isToldOut();
  store(replay.end());
  const doubt = replay.doubt();
  const order = replay.order(doubt !== null && areChunksCounted(doubt.flatMap((place) => disk[place] ?? [])));
  if (order !== null) disk = order.flatMap((place) => disk[place] ?? []);
  return { stored, ended: shown(disk), isToldOut };
}

const storedAfter = (...steps: Step[]): string => play(steps).stored;
const endedAfter = (...steps: Step[]): string => play(steps).ended;

describe('a server that drains', () => {
  it('has every chunk stored once, equal ones in a row too', () => {
    expect(storedAfter('ab', '', 'cc', 'd')).toBe('abccd');
    expect(storedAfter('aa')).toBe('aa');
  });

  it('loses none that looks like the beginning', () => {
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

  it('has put back what was left out, where the handler itself begins anew', () => {
    expect(storedAfter('lsv', 'lsv', 'lsv', 'l')).toBe('lsvl');
    expect(endedAfter('lsv', 'lsv', 'lsv', 'l', 's', 'v')).toBe('lsvlsvlsvlsv');
    expect(endedAfter('ab', '', 'abc', 'a')).toBe('ababca');
    expect(endedAfter('ab', '', 'abc', crash, 'a')).toBe('ababca');
  });
});

describe('a server that drains and repeats from the start now and then', () => {
  it('has every chunk stored once, whatever it did before', () => {
    expect(storedAfter('abc', 'abc', '')).toBe('abc');
    expect(storedAfter('ab', '', 'cd', 'abcdef', 'g', '', 'abcdefg', 'h')).toBe('abcdefgh');
  });

  it('is recognised by two chunks already where the reply goes on behind them', () => {
    expect(storedAfter('ab', '', 'abc', 'd', '', 'abcde')).toBe('abcde');
  });

  it('is recognised in a reply that broke off', () => {
    expect(storedAfter('abcd', '', { cut: 'abc' })).toBe('abcd');
    expect(storedAfter('abcd', '', 'abc')).toBe('abcdabc');
  });

  it('is recognised by equal values too, when they are many', () => {
    expect(storedAfter('abca', '', 'da', 'abcadaa', '')).toBe('abcadaa');
    expect(endedAfter('a', 'aa', 'aab', 'aabc', 'aabcd', '')).toBe('aabcd');
  });

  it('is not taken for granted where chunks are alike, or few', () => {
    expect(endedAfter('aba', '', 'abab')).toBe('abaabab');
    expect(endedAfter('ab', '', 'ab')).toBe('abab');
    expect(endedAfter('a', '', 'abc')).toBe('aabc');
  });

  it('is known from a later reply that tells all again: what was stored twice until then goes, and nothing comes twice after', () => {
    expect(play(['a', '', 'ab', 'c', 'abcd', 'e'])).toMatchObject({ stored: 'aabcde', ended: 'abcde' });
    expect(play(['ab', 'ab', 'cd', 'abcdef', ''])).toMatchObject({ stored: 'ababcdef', ended: 'abcdef' });
    expect(play(['a', 'a', 'a', 'bc', 'd', 'abcd', '', 'abcde'])).toMatchObject({ stored: 'aaabcde', ended: 'abcde' });
  });

  it('tells of replies that never arrived, and each finds its place', () => {
    expect(play(['ab', 'fghi', '', 'abcdefghijk', 'l'])).toMatchObject({
      stored: 'abfghicdejkl',
      ended: 'abcdefghijkl',
    });
  });

  it('is known by chunks that count themselves', () => {
    expect(play(['ab', 'ab', 'cd', ''], numberedChunk).ended).toBe('abcd');
    expect(play(['a', '', 'abc', ''], numberedChunk).ended).toBe('abc');
    expect(play(['a', '', 'ab', ''], numberedChunk).ended).toBe('aab');
    expect(play(['a', 'a', 'b', 'b', 'c', ''], numberedChunk).ended).toBe('aabbc');
    expect(play(['a', '', 'ab', ''], indexedChunk).ended).toBe('ab');
    expect(play(['a', '', 'a', ''], indexedChunk).ended).toBe('aa');
  });

  it('is known over a crash', () => {
    expect(endedAfter('a', '', 'ab', crash, 'c', 'abcd', 'e')).toBe('abcde');
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

  it('is told apart from one that drains as soon as a reply does not begin at the start', () => {
    expect(storedAfter('abc', 'abcd', 'e')).toBe('abcde');
  });

  it('has nothing more to tell when it tells the same after the end', () => {
    expect(play(['abc', { late: 'abc' }])).toEqual({ stored: 'abc', ended: 'abc', isToldOut: true });
    expect(play(['w', { late: 'w' }, { late: 'w' }]).isToldOut).toBe(false);
    expect(play(['w', { late: 'w' }, { late: 'w' }, { late: 'w' }])).toEqual({
      stored: 'w',
      ended: 'w',
      isToldOut: true,
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

/**
 * What an interleaver with unlike chunks would have streamed, had it given these replies; `isClear`: it told three
 * again, or two and more.
 */
function unlikeReading(replies: readonly string[]): { text: string; isClear: boolean } | null {
  let text = '';
  let isClear = false;
  for (const reply of replies) {
    if (new Set(reply).size !== reply.length) return null;
    const isFresh = [...reply].every((letter) => !text.includes(letter));
    if (!isFresh && !reply.startsWith(text)) return null;
    if (!isFresh && (text.length > 2 || (text.length === 2 && reply.length > 2))) isClear = true;
    text = isFresh ? text + reply : reply;
  }
  return { text, isClear };
}

describe('whatever is streamed and however it is cut into replies', () => {
  it('is had whole from a server that drains when it yields no more than two values, over crashes too', () => {
    fc.assert(
      fc.property(textOf('a', 'b'), anyCuts, crashes, (text, cuts, at) => {
        expect(play(withCrashes(drained(text, cuts), at)).ended).toBe(text);
      }),
      { numRuns },
    );
  });

  it('is had as far as it came from a server that drains such a stream in replies that break off', () => {
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

  it('is had whole from a server that drains, where no reply but the first begins as the stream does and tells three values', () => {
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

  it('is had whole, and at once, from a server that drains when its chunks differ', () => {
    fc.assert(
      fc.property(distinctText, anyCuts, crashes, (text, cuts, at) => {
        const steps = withCrashes(drained(text, cuts), at);
        expect(play(steps)).toMatchObject({ stored: text, ended: text });
      }),
    );
  });

  it('is had once, and at once, from a server that only repeats, over crashes too', () => {
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
        expect(ends.find(({ isToldOut }) => isToldOut) ?? ends.at(-1)).toMatchObject({
          stored: told,
          ended: told,
          isToldOut: told !== '',
        });
      }),
      { numRuns },
    );
  });

  const turns = fc.array(fc.record({ cut: fc.nat(5), isRepeated: fc.boolean() }), { maxLength: 30 });
  const interleaved = (text: string, all: readonly { cut: number; isRepeated: boolean }[]): string[] => {
    let at = 0;
    return [...all, { cut: text.length, isRepeated: false }].map(({ cut, isRepeated }) => {
      const from = isRepeated ? 0 : at;
      at = Math.min(text.length, at + cut);
      return text.slice(from, at);
    });
  };

  it('is had once from a server that drains and repeats, when its chunks differ and it repeated three, or two and more', () => {
    fc.assert(
      fc.property(distinctText, turns, crashes, (text, all, at) => {
        const replies = interleaved(text, all);
        const { ended } = play([...replies, '']);
        const isClear = unlikeReading(replies)?.isClear === true;
        // Else it is had as a server that only drains would have meant it.
        expect(ended).toBe(isClear || replies.join('') === text ? text : ended === text ? text : replies.join(''));
        // A crash may take what was known, and never a chunk.
        const crashed = play(withCrashes([...replies, ''], at)).ended;
        for (const letter of text) expect(crashed).toContain(letter);
      }),
      { numRuns },
    );
  });

  it('is had once from a server that drains and repeats, when its chunks tell their index', () => {
    fc.assert(
      fc.property(
        distinctText.filter(({ length }) => length > 1),
        turns,
        (text, all) => {
          expect(play([...interleaved(text, all), ''], indexedChunk).ended).toBe(text);
        },
      ),
      { numRuns },
    );
  });

  it('is never had twice what came once, and nothing that came is gone for good', () => {
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

it('tells chunks apart by output and metrics', () => {
  const marks = [
    { outputJson: '1', metricsJson: null },
    { outputJson: '1', metricsJson: 'null' },
    { outputJson: '1', metricsJson: '{}' },
    { outputJson: '11', metricsJson: null },
    { outputJson: '1+', metricsJson: null },
  ].map(fingerprint);
  expect(new Set(marks).size).toBe(5);
});

it('passes over a note that cannot be read', () => {
  expect(readLeftOut(null)).toEqual([]);
  expect(readLeftOut('{"at":1}')).toEqual([]);
  expect(readLeftOut('[{"at":1},{"at":1,"from":0,"count":1,"receivedAtMs":5}]')).toEqual([
    { at: 1, from: 0, count: 1, receivedAtMs: 5 },
  ]);
});

describe('what was left out and a crash found half stored', () => {
  const noted = [
    { at: 2, from: 0, count: 2, receivedAtMs: 5 },
    { at: 2, from: 0, count: 1, receivedAtMs: 6 },
  ];

  it('is left out no longer as far as it is stored', () => {
    const notes = readLeftOut(JSON.stringify(beingPutBack(noted)));
    expect(leftOfThem(notes, 2)).toEqual(noted);
    expect(leftOfThem(notes, 4)).toEqual([{ at: 4, from: 0, count: 1, receivedAtMs: 6 }]);
    expect(leftOfThem(notes, 5)).toEqual([]);
  });

  it('is all of it or none where the order was put right', () => {
    const notes = readLeftOut(JSON.stringify(beingOrdered(noted, 6)));
    expect(leftOfThem(notes, 3)).toEqual(noted);
    expect(leftOfThem(notes, 6)).toEqual([]);
  });
});

it('takes a reply of more chunks than a call takes arguments', () => {
  const many = Array.from({ length: 150_000 }, (_, at): NewChunk => ({ outputJson: `"${at}"`, metricsJson: null }));
  expect(createReplay().take(many, { receivedAtMs: 1 })[0]?.chunks).toHaveLength(150_000);
});

it('holds what it leaves out once, however often it is told again', () => {
  const replay = createReplay();
  for (let receivedAtMs = 0; receivedAtMs < 300; receivedAtMs += 1)
    replay.take([...'www'].map(plainChunk), { receivedAtMs });
  const back = replay.take([], { receivedAtMs: 301 });
  expect(back.map(({ chunks }) => chunks.length)).toEqual(Array.from({ length: 299 }, () => 3));
  expect(new Set(back.flatMap(({ chunks }) => chunks)).size).toBe(1);
});
