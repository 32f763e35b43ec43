import { afterEach, expect, test, vi } from 'vitest';
import type { BatchDraft } from '../../../../../src-preload/batch-schema.ts';
import { ok, type Result } from '../../../../../src-preload/failure.ts';
import { submitInParts } from '../../../../../src-renderer/composer/bulk/submit-in-parts.ts';
import { answerCalls } from '../../../../kit/answering-bridge.ts';

afterEach(() => void vi.unstubAllGlobals());

const draft: BatchDraft = { connectionId: 'c1', endpointId: 'text', operation: 'run' };
const options = { name: 'Rows', limits: { maxLive: null, stopAfterFailures: null } };

/** That many inputs of a batch. */
function* inputsOf(batch: string, count: number): Generator<string> {
  for (let row = 0; row < count; row += 1) yield JSON.stringify({ batch, row });
}

test('two batches of a window that are submitted at the same time are sent one after the other', async () => {
  /** The inputs that main has of the window, and each batch that it made of them. */
  let staged: string[] = [];
  const made: string[][] = [];
  const firstPart = Promise.withResolvers<Result<null>>();
  answerCalls({
    'batch:stage': async ({ isFirst, inputs }) => {
      staged = [...(isFirst ? [] : staged), ...inputs];
      return made.length === 0 ? await firstPart.promise : ok(null);
    },
    'batch:submit': async ({ inputs, isStaged }) => {
      made.push([...(isStaged === true ? staged : []), ...inputs]);
      staged = [];
      return ok({ kind: 'refused', rows: [] });
    },
  });
  const many = submitInParts(draft, inputsOf('many', 1_200), options);
  const few = submitInParts(draft, inputsOf('few', 3), options);
  const other = submitInParts(draft, inputsOf('other', 700), options);
  firstPart.resolve(ok(null));
  await Promise.all([many, few, other]);
  expect(made).toEqual([[...inputsOf('many', 1_200)], [...inputsOf('few', 3)], [...inputsOf('other', 700)]]);
});
