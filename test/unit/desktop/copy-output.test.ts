import { describe, expect, it } from 'vitest';
import { copyOutput } from '../../../src-main/desktop/copy-output.ts';
import { maxCopiedChars } from '../../../src-preload/bounds.ts';
import { failed, ok, type Result } from '../../../src-preload/failure.ts';
import type { JobText } from '../../../src-preload/history.ts';

/** What is in the clipboard after an output was copied over another text, and the answer. */
async function copied(output: Result<JobText>): Promise<{ clipboard: string; answer: Result<{ isEmpty: boolean }> }> {
  let clipboard = 'of the user';
  const wanted: unknown[] = [];
  const answer = await copyOutput(
    {
      'job:wholeOutput': (input) => {
        wanted.push(input);
        return output;
      },
    },
    { writeText: async (text) => void (clipboard = text) },
    'k1',
    2,
  );
  expect(wanted).toEqual([{ key: 'k1', attempt: 2 }]);
  return { clipboard, answer };
}

describe('the output of an attempt', () => {
  it('is copied whole', async () => {
    const text = 'fog over ridges';
    expect(await copied(ok({ text, isJson: false }))).toEqual({ clipboard: text, answer: ok({ isEmpty: false }) });
  });

  it('is not copied if there is none: the clipboard stays as it was', async () => {
    expect(await copied(ok({ text: '', isJson: false }))).toEqual({
      clipboard: 'of the user',
      answer: ok({ isEmpty: true }),
    });
  });

  it('is refused with its size if it is too large, and a failure to read it is passed on', async () => {
    const tooLarge = await copied(ok({ text: 'x'.repeat(maxCopiedChars + 1), isJson: false }));
    expect(tooLarge).toMatchObject({
      clipboard: 'of the user',
      answer: { failure: { kind: 'refused', message: expect.stringContaining('this output has 50,000,001.') } },
    });
    const gone = failed({ kind: 'absent', message: 'There is no such job.' } as const);
    expect(await copied(gone)).toEqual({ clipboard: 'of the user', answer: gone });
  });
});
