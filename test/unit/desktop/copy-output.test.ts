import { describe, expect, it } from 'vitest';
import { copyOutput } from '../../../src-main/desktop/copy-output.ts';
import type { WholeOutput } from '../../../src-main/engine/whole-output.ts';
import { HistoryError } from '../../../src-main/history/history.ts';
import { maxCopiedChars } from '../../../src-preload/bounds.ts';
import { ok, type Result } from '../../../src-preload/failure.ts';

/** What is in the clipboard after an output was copied over another text, and the answer. */
async function copied(output: WholeOutput): Promise<{ clipboard: string; answer: Result<{ isEmpty: boolean }> }> {
  let clipboard = 'of the user';
  const answer = await copyOutput(ok(output), { writeText: async (text) => void (clipboard = text) });
  return { clipboard, answer };
}

/** An output of so many characters that are only read if `parts` are given. */
function anOutput(chars: number, parts?: () => AsyncGenerator<string>): WholeOutput {
  return {
    isJson: false,
    isEmpty: chars === 0,
    isLongerThan: async (max) => ok(chars > max),
    parts:
      parts ??
      (() => {
        throw new Error('Nothing of it may be read.');
      }),
  };
}

describe('the output of an attempt', () => {
  it('is copied whole', async () => {
    async function* parts(): AsyncGenerator<string> {
      yield 'fog ';
      yield 'over ridges';
    }
    expect(await copied(anOutput(15, parts))).toEqual({ clipboard: 'fog over ridges', answer: ok({ isEmpty: false }) });
  });

  it('is not copied if there is none: the clipboard stays as it was', async () => {
    expect(await copied(anOutput(0))).toEqual({ clipboard: 'of the user', answer: ok({ isEmpty: true }) });
  });

  it('is refused if it is too large, before any of it is read', async () => {
    expect(await copied(anOutput(maxCopiedChars + 1))).toMatchObject({
      clipboard: 'of the user',
      answer: { failure: { kind: 'refused', message: expect.stringContaining('up to 50,000,000 characters') } },
    });
  });

  it('is not copied in part if the rest cannot be read', async () => {
    async function* parts(): AsyncGenerator<string> {
      yield 'fog ';
      throw new HistoryError('The history is locked.', 'storage');
    }
    expect(await copied(anOutput(15, parts))).toMatchObject({
      clipboard: 'of the user',
      answer: { failure: { kind: 'storage', message: 'The history is locked.' } },
    });
  });
});
