import type { BatchLimits, BatchSubmission } from '../../../src-preload/batch.ts';
import type { BatchDraft } from '../../../src-preload/batch-schema.ts';
import type { Result } from '../../../src-preload/failure.ts';
import { call } from '../../bridge.ts';

/** The most in one message over the bridge. More would delay the window. */
const atOnce = { rows: 500, chars: 400_000 };

/** Resolves when the last submission so far is answered. Null: it is. */
let sending: Promise<void> | null = null;

/**
 * Sends inputs in small messages. The last one submits them all as a batch. They are made one by one, as they are
 * needed. Another submission of this window waits until this one is answered: main keeps the parts by their window, so
 * that two at the same time would lose rows, or mix them.
 */
export function submitInParts(
  draft: BatchDraft,
  all: Iterable<string>,
  options: { name: string; limits: BatchLimits },
): Promise<Result<BatchSubmission>> {
  const send = (): Promise<Result<BatchSubmission>> => sendInParts(draft, all, options);
  const mine = sending === null ? send() : sending.then(send);
  const end = (): void => {
    if (sending === ended) sending = null;
  };
  const ended = mine.then(end, end);
  sending = ended;
  return mine;
}

async function sendInParts(
  draft: BatchDraft,
  all: Iterable<string>,
  { name, limits }: { name: string; limits: BatchLimits },
): Promise<Result<BatchSubmission>> {
  let inputs: string[] = [];
  let chars = 0;
  let isStaged = false;
  for (const inputText of all) {
    if (inputs.length >= atOnce.rows || (inputs.length > 0 && chars + inputText.length > atOnce.chars)) {
      const staged = await call('batch:stage', { isFirst: !isStaged, inputs });
      if (!staged.ok) return staged;
      isStaged = true;
      inputs = [];
      chars = 0;
    }
    inputs.push(inputText);
    chars += inputText.length;
  }
  return call('batch:submit', { draft, inputs, isStaged, name, limits });
}
