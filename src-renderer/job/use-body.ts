import { useState } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { CallInput } from '../../src-preload/contract.ts';
import type { Failure } from '../../src-preload/failure.ts';
import type { BodyText } from '../../src-preload/history.ts';
import { useCall } from '../data/calls.ts';

type BodyState =
  | { state: 'loading' }
  /** Nothing is saved for this part. */
  | { state: 'absent' }
  | { state: 'failed'; failure: Failure }
  | { state: 'ready'; body: BodyText };

export interface BodyWanted extends Omit<CallInput<'job:body'>, 'isWhole'> {
  /** If false, the body is `absent` and nothing is requested. */
  isWanted: boolean;
}

export interface Body {
  current: BodyState;
  /** True while the rest of a cut body is read. */
  isLoadingRest: boolean;
  loadWhole: () => void;
  retry: () => void;
}

/** A saved body of a job: first its beginning, and the whole on request. */
export function useBody({ isWanted, ...part }: BodyWanted): Body {
  const of = `${part.key} ${part.part} ${part.attempt ?? 'newest'}`;
  const [wholeOf, setWholeOf] = useState<string | null>(null);
  const isWhole = isWanted && wholeOf === of;
  // Bodies are large, so they are not cached when nothing shows them.
  const beginning = useCall('job:body', isWanted ? { ...part, isWhole: false } : null, { unusedMs: 0 });
  const whole = useCall('job:body', isWhole ? { ...part, isWhole } : null, { unusedMs: 0 });
  const shown = whole.isPending ? beginning : whole;
  return {
    current: isWanted ? stateOf(shown) : { state: 'absent' },
    isLoadingRest: isWhole && whole.isPending,
    loadWhole: () => setWholeOf(of),
    retry: () => void shown.refetch(),
  };
}

function stateOf({ data, error }: UseQueryResult<BodyText, Failure>): BodyState {
  if (error !== null) return error.kind === 'absent' ? { state: 'absent' } : { state: 'failed', failure: error };
  return data === undefined ? { state: 'loading' } : { state: 'ready', body: data };
}
