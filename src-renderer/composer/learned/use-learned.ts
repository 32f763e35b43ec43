import type { LearnedInputs } from '../../../src-preload/learned.ts';
import { useCall } from '../../data/calls.ts';
import type { ComposerDraft } from '../composer-draft.ts';

/** What the earlier inputs of the draft's endpoint suggest for this one. Null until it is known. */
export function useLearnedInputs({ connectionId, endpointId }: ComposerDraft): LearnedInputs | null {
  const isKnown = connectionId !== '' && endpointId !== '';
  const { data } = useCall('job:learnedInputs', isKnown ? { connectionId, endpointId } : null, {
    isKeptByEvents: true,
  });
  return data ?? null;
}
