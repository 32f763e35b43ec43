import type { LearnedInputs } from '../../../src-preload/learned.ts';
import { readAhead, useCall } from '../../data/calls.ts';
import type { ComposerDraft } from '../composer-draft.ts';

const kept = { isKeptByEvents: true } as const;

/** What the earlier inputs of the draft's endpoint suggest for this one. Null until it is known. */
export function useLearnedInputs({ connectionId, endpointId }: ComposerDraft): LearnedInputs | null {
  const isKnown = connectionId !== '' && endpointId !== '';
  const { data } = useCall('job:learnedInputs', isKnown ? { connectionId, endpointId } : null, kept);
  return data ?? null;
}

/** Reads what `useLearnedInputs` shows of an endpoint before a draft goes there, so that no frame is without it. */
export async function readLearnedInputs({
  connectionId,
  endpointId,
}: Pick<ComposerDraft, 'connectionId' | 'endpointId'>): Promise<void> {
  await readAhead('job:learnedInputs', { connectionId, endpointId }, kept);
}
