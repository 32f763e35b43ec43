import { afterAll, describe, it } from 'vitest';
import type { Dialect } from '../../../src-main/sandbox/specification.ts';
import { removeEngineFolders } from '../../kit/engine.ts';
import { playsAll } from '../../kit/plays-all.ts';
import { expectTruth } from './fault-truth/judge-bag.ts';
import { lengths, nameOf, strangeAnswers } from './fault-truth/truth-faults.ts';

afterAll(removeEngineFolders);

const dialects: readonly Dialect[] = ['spec', 'observed'];

const all = [
  'for one answer',
  'for ten seconds',
  'for five minutes',
  'to reads of the stream for five minutes',
  'to reads of the status for five minutes',
] as const;

for (const [at, length] of all.entries()) {
  // Every answer for every length takes ten minutes: in an ordinary run each is played for one of them, by turns.
  const cases = strangeAnswers.flatMap((rule, index) => {
    const dialect: Dialect = dialects[(at + index) % 2] ?? 'spec';
    const isPlayed = playsAll || index % all.length === at;
    return isPlayed ? [{ name: nameOf(rule), rules: lengths[length](rule), dialect, seed: 201 + index }] : [];
  });

  describe(`a strange answer ${length}`, () => {
    it.for(cases)(
      '$name ($dialect, seed $seed) leaves every job in its true state',
      { timeout: 120_000 },
      async (one, { annotate }) => {
        await expectTruth(one, annotate);
      },
    );
  });
}
