import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendChunks, readChunks } from '../../../../src-main/history/stream/chunks.ts';
import { readDocument, writeDocument } from '../../../../src-main/history/file/documents.ts';
import { suspectedRepeats } from '../../../../src-main/history/stream/suspected-repeats.ts';
import { commit, findJob } from '../../../../src-main/history/jobs/jobs.ts';
import {
  commitChunks,
  copyStream,
  repairStream,
  storeSuspectedRepeats,
} from '../../../../src-main/history/jobs/streams.ts';
import { repairedChunks } from '../../../../src-main/history/stream/repair-chunks.ts';
import type { StoredChunk } from '../../../../src-main/history/stream/repair-chunks.ts';
import { aNewJob, aDatabase } from '../a-database.ts';

/** One reply's chunks, a letter each; `atMs` tells replies apart. */
const reply = (letters: string, atMs: number): StoredChunk[] =>
  [...letters].map((letter) => ({
    outputJson: JSON.stringify(letter),
    metricsJson: `{"of":"${letter}"}`,
    receivedAtMs: atMs,
  }));
const replies = (...all: string[]): StoredChunk[] => all.flatMap((letters, at) => reply(letters, at + 1));
const listOf = (letters: string): string => JSON.stringify([...letters]);
/** Received chunks as their letters, rebuilt ones in capitals. */
function shown(chunks: readonly StoredChunk[] | null): string | null {
  if (chunks === null) return null;
  return chunks
    .map(({ outputJson, isRebuilt }) =>
      isRebuilt === true ? String(JSON.parse(outputJson)).toUpperCase() : String(JSON.parse(outputJson)),
    )
    .join('');
}
const repair = (received: readonly StoredChunk[], list: string): string | null =>
  shown(repairedChunks(received, listOf(list), 99));

describe('holes', () => {
  it('are filled from the output, wherever they are', () => {
    expect(repair(replies('cd'), 'abcdef')).toBe('ABcdEF');
    expect(repair(replies('ab', 'f'), 'abcdef')).toBe('abCDEf');
  });

  it('are filled with the output’s values, marked, without metrics, and received now', () => {
    expect(repairedChunks(reply('b', 5), '[{"text": "a"}, "b"]', 99)).toEqual([
      { outputJson: '{"text": "a"}', metricsJson: null, receivedAtMs: 99, isRebuilt: true },
      { outputJson: '"b"', metricsJson: '{"of":"b"}', receivedAtMs: 5 },
    ]);
  });

  it('are found even if the service writes a value in two ways', () => {
    expect(shown(repairedChunks(reply('b', 1), '[ "a", "\\u0062" ]', 99))).toBe('Ab');
  });
});

describe('a list without equal chunks', () => {
  it.each([
    ['one repeated after others', replies('abcdefgh', 'd', 'i'), 'abcdefghi', 'abcdefghi'],
    [
      'an end repeated twice before the beginning',
      replies('defg', 'defg', 'abc', 'h', 'aabbcc'),
      'abcdefghi',
      'abcdefghI',
    ],
    ['replies out of order', replies('cd', 'ab'), 'abcd', 'abcd'],
  ])('has one place for each, however they were received: %s', (_, received, list, repaired) => {
    expect(repair(received, list)).toBe(repaired);
  });

  it.each([
    ['only three different ones', replies('abc', 'b'), 'abcd'],
    ['one that is not in the list', replies('abcd', 'b', 'x'), 'abcd'],
    ['equal ones in the list', replies('abcd', 'b'), 'abcda'],
  ])('proves nothing with %s', (_, received, list) => {
    expect(repair(received, list)).toBe(null);
  });
});

describe('a stream that the list does not prove', () => {
  it.each([
    ['nothing was received', replies(), 'abc'],
    ['nothing is missing', replies('abc'), 'abc'],
    ['a chunk is not in the list', replies('ax'), 'abc'],
    ['the order differs', replies('ba'), 'abc'],
    ['more was received than the list has', replies('abcd'), 'abc'],
    ['a chunk was repeated after others', replies('abcb'), 'abc'],
    ['equal chunks arrived in one reply, and are in the list', replies('aabb'), 'aabb'],
  ])('stays unchanged: %s', (_, received, list) => {
    expect(repair(received, list)).toBe(null);
  });

  it.each(['"abc"', '{"a":"abc"}', 'null', '""'])('stays unchanged if the output is not a list: %s', (output) => {
    expect(repairedChunks(replies('a'), output, 99)).toBe(null);
  });
});

describe('a reply that repeated everything from the start', () => {
  it('is removed, with and without something new after it', () => {
    expect(repair(replies('abc', 'abc'), 'abc')).toBe('abc');
    expect(repair(replies('ab', 'abcd', 'e'), 'abcde')).toBe('abcde');
    expect(repair(replies('a', 'a', 'b'), 'ab')).toBe('ab');
  });

  it('is removed even if it broke off, and even if it filled a hole', () => {
    expect(repair(replies('abcd', 'ab'), 'abcd')).toBe('abcd');
    expect(repair(replies('bc', 'abc', 'e'), 'abcde')).toBe('abcDe');
    expect(repair(replies('e', 'abcd'), 'abcde')).toBe('abcde');
  });
});

describe('a service that sent each chunk of a reply twice', () => {
  it('is disproved by the list, in whichever replies it did so', () => {
    expect(repair(replies('aabb'), 'ab')).toBe('ab');
    expect(repair(replies('aa'), 'a')).toBe('a');
    expect(repair(replies('ab', 'ccdd', 'e', 'ff'), 'abcdef')).toBe('abcdef');
  });

  it('is disproved even if such a reply broke off', () => {
    expect(repair(replies('aab', 'c'), 'abc')).toBe('abc');
  });

  it('still has its holes filled, and its repetitions from the start removed', () => {
    expect(repair(replies('aabb', 'ee'), 'abcdef')).toBe('abCDeF');
    expect(repair(replies('aabb', 'aabbcc', 'd'), 'abcd')).toBe('abcd');
    expect(repair(replies('a', 'abbcc', 'd'), 'abcd')).toBe('abcd');
    // The rest of a doubled repetition that was left out except for its last second.
    expect(repair(replies('aab', 'b'), 'ab')).toBe('ab');
  });

  it('is read correctly whatever else was lost', () => {
    fc.assert(
      fc.property(distinct, fc.infiniteStream(fc.boolean()), fc.infiniteStream(fc.boolean()), (sent, twice, lost) => {
        const came = [...sent]
          .filter(() => !lost.next().value)
          .map((letter) => (twice.next().value ? letter + letter : letter));
        const repaired = repairedChunks(replies(...came), listOf(sent), 99);
        fc.pre(came.length > 0);
        if (repaired === null) expect(came.join('')).toBe(sent);
        else
          expect(repaired.map(({ outputJson }) => outputJson)).toEqual(
            [...sent].map((letter) => JSON.stringify(letter)),
          );
      }),
    );
  });
});

const distinct = fc.integer({ min: 1, max: 26 }).map((length) => 'abcdefghijklmnopqrstuvwxyz'.slice(0, length));
const any = fc
  .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 14 })
  .map((letters) => letters.join(''));

describe('any sent stream', () => {
  it('is restored from any part that was received, and received chunks stay unchanged', () => {
    fc.assert(
      fc.property(fc.oneof(distinct, any), fc.infiniteStream(fc.boolean()), (sent, luck) => {
        const came = reply(sent, 7).filter(() => luck.next().value);
        const repaired = repairedChunks(came, listOf(sent), 99);
        if (came.length === 0 || came.length === sent.length) {
          expect(repaired).toBe(null);
          return;
        }
        expect(repaired?.map(({ outputJson }) => outputJson)).toEqual(
          [...sent].map((letter) => JSON.stringify(letter)),
        );
        expect(repaired?.filter(({ isRebuilt }) => isRebuilt !== true)).toEqual(came);
      }),
    );
  });

  it('is read once from replies that drain, get lost, repeat and break off, if its chunks differ', () => {
    const step = fc.record({
      take: fc.nat(4),
      isLost: fc.boolean(),
      isRepeated: fc.boolean(),
      cut: fc.option(fc.nat(6)),
    });
    fc.assert(
      fc.property(distinct, fc.array(step, { maxLength: 12 }), (sent, steps) => {
        let at = 0;
        const came: string[] = [];
        for (const { take, isLost, isRepeated, cut } of [
          ...steps,
          { take: sent.length, isLost: false, isRepeated: false, cut: null },
        ]) {
          const until = Math.min(sent.length, at + take);
          const told = sent.slice(isRepeated ? 0 : at, until).slice(0, cut ?? undefined);
          at = until;
          if (isLost || told === '') continue;
          came.push(told);
        }
        const received = replies(...came);
        const repaired = repairedChunks(received, listOf(sent), 99);
        if (came.length > 0) expect(shown(repaired ?? received)?.toLowerCase()).toBe(sent);
        for (const chunk of repaired ?? []) if (chunk.isRebuilt !== true) expect(received).toContainEqual(chunk);
      }),
    );
  });

  it('is never made longer than the list or different from it', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 4 }), any, (came, list) => {
        const repaired = repairedChunks(replies(...came), listOf(list), 99);
        if (repaired !== null) expect(shown(repaired)?.toLowerCase()).toBe(list);
      }),
    );
  });
});

describe('a stream in the database', () => {
  it('is replaced whole, counted, and records which chunks are rebuilt', () => {
    const db = aDatabase();
    commit(db, [{ ...aNewJob({}), bodies: [{ part: 'output', attempt: 1, text: listOf('abcd') }] }]);
    commitChunks(db, { key: 'key-1', attempt: 1 }, reply('b', 0), 5);
    commitChunks(db, { key: 'key-1', attempt: 1 }, reply('d', 0), 6);
    expect(repairStream(db, 'key-1', 1, 99)).toEqual({ chunkCount: 4, rebuiltCount: 2, repeatedCount: 0 });
    const found = findJob(db, 'key-1');
    expect(found?.job.chunkCount).toBe(4);
    const chunks = readChunks(db, { rowId: found?.id ?? 0, attempt: 1 }, { limit: 100 });
    expect(shown(chunks)).toBe('AbCd');
    expect(chunks.map(({ seq, receivedAtMs }) => [seq, receivedAtMs])).toEqual([
      [0, 99],
      [1, 5],
      [2, 99],
      [3, 6],
    ]);
    expect(readChunks(db, { rowId: found?.id ?? 0, attempt: 1 }, { fromSeq: 1, limit: 2 })).toEqual(chunks.slice(1, 3));
    expect(repairStream(db, 'key-1', 1, 100)).toBe(null);
    expect(appendChunks(db, { rowId: found?.id ?? 0, attempt: 1 }, reply('e', 0), 7)[0]?.seq).toBe(4);
  });

  it('of another attempt, or without an output, stays unchanged', () => {
    const db = aDatabase();
    commit(db, [aNewJob({})]);
    commitChunks(db, { key: 'key-1', attempt: 1 }, reply('b', 0), 5);
    expect(repairStream(db, 'key-1', 1, 99)).toBe(null);
    expect(repairStream(db, 'key-1', 2, 99)).toBe(null);
    expect(findJob(db, 'key-1')?.job.chunkCount).toBe(1);
  });
});

describe('noted suspected repeats of a stream', () => {
  it('are stored in their place with their own time, once, and the note is removed', () => {
    const db = aDatabase();
    commit(db, [aNewJob({})]);
    commitChunks(db, { key: 'key-1', attempt: 1 }, reply('a', 0), 5);
    commitChunks(db, { key: 'key-1', attempt: 1 }, reply('b', 0), 7);
    const id = suspectedRepeats.id({ key: 'key-1', attempt: 1 });
    const notes = [
      { at: 1, count: 1, receivedAtMs: 6 },
      { at: 2, count: 2, receivedAtMs: 8 },
    ];
    writeDocument(db, suspectedRepeats.kind, id, JSON.stringify(notes));
    expect(storeSuspectedRepeats(db, 'key-1', 1)).toBe(5);
    expect(storeSuspectedRepeats(db, 'key-1', 1)).toBe(5);
    const found = findJob(db, 'key-1');
    expect(found?.job.chunkCount).toBe(5);
    const chunks = readChunks(db, { rowId: found?.id ?? 0, attempt: 1 }, { limit: 100 });
    expect(shown(chunks)).toBe('aabab');
    expect(chunks.map(({ receivedAtMs }) => receivedAtMs)).toEqual([5, 6, 7, 8, 8]);
    expect(readDocument(db, suspectedRepeats.kind, id)).toBe(null);
  });

  it('change nothing if the note is invalid', () => {
    const db = aDatabase();
    commit(db, [aNewJob({})]);
    commitChunks(db, { key: 'key-1', attempt: 1 }, reply('ab', 0), 5);
    writeDocument(db, suspectedRepeats.kind, suspectedRepeats.id({ key: 'key-1', attempt: 1 }), '{"at":1}');
    expect(storeSuspectedRepeats(db, 'key-1', 1)).toBe(2);
  });
});

describe('the stream of a job with the same id', () => {
  const noteOf = (key: string): string => suspectedRepeats.id({ key, attempt: 1 });

  function aPair(own: string, theirs: string): ReturnType<typeof aDatabase> {
    const db = aDatabase();
    for (const [key, texts] of [['key-1', own] as const, ['key-2', theirs] as const]) {
      commit(db, [aNewJob({ key })]);
      [...texts].forEach((text, at) => commitChunks(db, { key, attempt: 1 }, reply(text, 0), at));
    }
    writeDocument(db, suspectedRepeats.kind, noteOf('key-2'), '[{"at":2,"count":1,"receivedAtMs":9}]');
    return db;
  }

  it.each([
    ['', 'abc'],
    ['ab', 'abc'],
  ])('is copied after "%s", with the note of what was left out', (own, theirs) => {
    const db = aPair(own, theirs);
    expect(copyStream(db, 'key-1', 1, 'key-2')).toBe(3);
    const found = findJob(db, 'key-1');
    expect(found?.job.chunkCount).toBe(3);
    const chunks = readChunks(db, { rowId: found?.id ?? 0, attempt: 1 }, { limit: 100 });
    expect(shown(chunks)).toBe('abc');
    expect(chunks.map(({ receivedAtMs }) => receivedAtMs)).toEqual([0, 1, 2]);
    expect(readDocument(db, suspectedRepeats.kind, noteOf('key-1'))).toContain('"at":2');
    expect(copyStream(db, 'key-1', 1, 'key-2')).toBe(null);
  });

  it.each([
    ['abc', 'ab'],
    ['abc', 'abc'],
    ['xb', 'abc'],
  ])('is not copied over "%s" from "%s"', (own, theirs) => {
    const db = aPair(own, theirs);
    expect(copyStream(db, 'key-1', 1, 'key-2')).toBe(null);
    expect(shown(readChunks(db, { rowId: findJob(db, 'key-1')?.id ?? 0, attempt: 1 }, { limit: 100 }))).toBe(own);
    expect(copyStream(db, 'key-1', 1, 'key-3')).toBe(null);
  });
});

it('repairs a stream with more chunks in one reply than a call takes arguments', () => {
  const received = Array.from({ length: 200_000 }, (_, at): StoredChunk => ({
    outputJson: `${at >> 1}`,
    metricsJson: null,
    receivedAtMs: 1,
  }));
  const list = Array.from({ length: 100_000 }, (_, at) => at);
  expect(repairedChunks(received, JSON.stringify(list), 2)).toHaveLength(100_000);
});
