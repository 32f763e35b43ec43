import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommonFact } from '../../../../src-preload/failure-cause.ts';
import { firstSentence } from '../../../../src-renderer/failures/cause-message.tsx';
import { differenceIn, isMeant, signOf } from '../../../../src-renderer/failures/cause-signs.ts';
import { inCommonText } from '../../../../src-renderer/messages/failures/cause.tsx';
import { trendTicks } from '../../../../src-renderer/failures/trend.tsx';
import { changeValue } from '../../../../src-renderer/failures/difference-note.tsx';

const dayMs = 86_400_000;
const nowMs = 100 * dayMs;
const trend = (counts: Readonly<Record<number, number>>): number[] =>
  Array.from({ length: 28 }, (_, at) => counts[at] ?? 0);

describe('the display of a cause', () => {
  it('says new within a day, and rising if most of it is recent', () => {
    const old = nowMs - 3 * dayMs;
    expect(signOf({ firstAtMs: nowMs - dayMs + 1, trend: trend({ 27: 9 }) }, nowMs)).toBe('new');
    expect(signOf({ firstAtMs: old, trend: trend({ 3: 2, 21: 1, 27: 2 }) }, nowMs)).toBe('rising');
    expect(signOf({ firstAtMs: old, trend: trend({ 3: 3, 21: 1, 27: 2 }) }, nowMs)).toBeNull();
    expect(signOf({ firstAtMs: old, trend: trend({ 27: 2 }) }, nowMs)).toBeNull();
  });

  it('names the jobs that were compared, and says if none completed', () => {
    const compared = (failedSeen: number, completedSeen: number, total: number): string[] => [
      inCommonText.compared({ failedSeen, completedSeen, total }),
      inCommonText.nothing({ failedSeen, completedSeen }),
    ];
    const nothing = 'Nothing in their inputs sets them apart from jobs that completed.';
    expect(compared(27, 120, 27)).toEqual(['27 jobs, compared with 120 that completed', nothing]);
    expect(compared(400, 1, 9_000)).toEqual(['the newest 400 jobs, compared with 1 that completed', nothing]);
    expect(compared(1, 0, 1)).toEqual(['1 job', 'No completed jobs to compare them with yet.']);
  });

  it('has one fact that separates failed from completed, of several the one that the error names', () => {
    const fact = (name: string, failed: number, completed: number, isNamed = false): CommonFact => ({
      name,
      trait: { kind: 'value', text: '1' },
      isNamed,
      failed,
      completed,
      instead: null,
    });
    const among = (completedSeen: number, ...common: CommonFact[]) =>
      differenceIn({ common, failedSeen: 20, completedSeen })?.fact.name;
    expect(among(100, fact('a', 18, 10), fact('b', 17, 0), fact('c', 20, 11))).toBe('a');
    expect(among(100, fact('a', 20, 0), fact('b', 20, 0))).toBeUndefined();
    expect(among(100, fact('a', 20, 0), fact('b', 20, 0, true))).toBe('b');
    expect(among(0, fact('a', 20, 0))).toBeUndefined();
  });

  it('calls a difference the likely reason only with enough jobs on both sides', () => {
    const common: CommonFact[] = [
      { name: 'a', trait: { kind: 'missing' }, isNamed: true, failed: 9, completed: 0, instead: null },
    ];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 200 }), (failedSeen, completedSeen) => {
        const facts = common.map((each) => ({ ...each, failed: failedSeen }));
        const difference = differenceIn({ common: facts, failedSeen, completedSeen });
        expect(difference?.isLikely).toBe(failedSeen > 10 && completedSeen > 10);
      }),
    );
  });

  it('has the days of a week under its trend, evenly, and hours under a day; “now” is in the place of today', () => {
    const since = new Date(2026, 10, 24).getTime();
    const ticks = trendTicks(since, new Date(2026, 10, 30, 20).getTime());
    expect(ticks.map(({ text }) => text)).toEqual(['24 Nov', '25 Nov', '26 Nov', '27 Nov', '28 Nov', '29 Nov']);
    const gaps = ticks.slice(1).map(({ share }, at) => (share - (ticks[at]?.share ?? 0)).toFixed(3));
    expect(new Set(gaps).size).toBe(1);
    expect(trendTicks(since, new Date(2026, 10, 24, 9).getTime()).map(({ text }) => text)).toEqual([
      '00:00',
      '02:00',
      '04:00',
      '06:00',
    ]);
    expect(trendTicks(since, since)).toEqual([{ share: 0, text: '00:00' }]);
  });

  it('has its first sentence, unless that omits something', () => {
    expect(firstSentence('CUDA out of memory. Tried to allocate … GiB.')).toEqual({
      first: 'CUDA out of memory',
      rest: 'Tried to allocate … GiB.',
    });
    for (const whole of ['Pixels must be between … and …. Check them.', "KeyError: 'prompt'", '403 from PUT … Denied'])
      expect(firstSentence(whole)).toEqual({ first: whole, rest: '' });
    expect(firstSentence('Pixels must be between … and ….').first).toBe('Pixels must be between … and …');
    expect(firstSentence('Shard 3 is missing.').first).toBe('Shard 3 is missing');
    expect(firstSentence('Still loading...').first).toBe('Still loading...');
  });

  it('is found by all typed words, in message, frame and endpoint', () => {
    const cause = { message: 'CUDA out of memory', frame: 'handler.py, run' };
    expect(isMeant(cause, 'whisper', ' cuda WHISPER ')).toBe(true);
    expect(isMeant(cause, 'whisper', 'handler memory')).toBe(true);
    expect(isMeant(cause, 'whisper', 'cuda llm')).toBe(false);
  });
});

describe('one value of an input', () => {
  it('is changed, and everything else stays as written', () => {
    expect(changeValue('{ "a" : 1.0,\n "batch": {"size": 24 , "x":[1]} }', 'batch.size', '8')).toBe(
      '{ "a" : 1.0,\n "batch": {"size": 8 , "x":[1]} }',
    );
    expect(changeValue('{"a.b":{"c":1},"a":{"b":{"c":2}}}', 'a.b.c', '3')).toBe('{"a.b":{"c":3},"a":{"b":{"c":2}}}');
    expect(changeValue('{"a":{"b":1},"a.c":2}', 'a.c', '"x"')).toBe('{"a":{"b":1},"a.c":"x"}');
    expect(changeValue('{"a":1}', 'b', '2')).toBeNull();
    expect(changeValue('[1]', 'a', '2')).toBeNull();
    expect(changeValue('', 'a', '2')).toBeNull();
  });
});
