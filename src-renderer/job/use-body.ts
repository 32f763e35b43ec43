import { useState } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { CallInput } from '../../src-preload/contract.ts';
import type { Failure } from '../../src-preload/failure.ts';
import type { BodyText } from '../../src-preload/history.ts';
import { isLive, missingInputReason, type Job } from '../../src-preload/job.ts';
import { useCall } from '../data/calls.ts';
import { useStreamAhead } from '../stream/use-stream.ts';
import type { PaneTab } from '../navigation/pane-tab.ts';

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

/** Bodies are large, so they are not cached when nothing shows them. While a job is open, its events keep them. */
const kept = { unusedMs: 0, isKeptByEvents: true } as const;

/** A saved body of a job: first its beginning, and the whole on request. */
export function useBody({ isWanted, ...part }: BodyWanted): Body {
  const of = `${part.key} ${part.part} ${part.attempt ?? 'newest'}`;
  const [wholeOf, setWholeOf] = useState<string | null>(null);
  const isWhole = isWanted && wholeOf === of;
  const beginning = useCall('job:body', isWanted ? { ...part, isWhole: false } : null, kept);
  const whole = useCall('job:body', isWhole ? { ...part, isWhole } : null, kept);
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

/**
 * Reads the beginning of what a tab shows of a job before that is drawn. True when it is here, or if there is nothing
 * to read. `isShown`: the job is drawn already, so that its stream is read by what shows it.
 */
export function useTabAhead(tab: PaneTab, job: Job | undefined, isShown: boolean): boolean {
  const part = job === undefined ? null : partOf(tab, job);
  const { isPending } = useCall('job:body', part === null ? null : { ...part, isWhole: false }, kept);
  const hasStream = job !== undefined && job.chunkCount > 0 && (tab === 'output' || tab === 'metrics');
  const isStreamRead = useStreamAhead(hasStream && !isShown ? { key: job.key, attempt: job.attempt } : null);
  return (part === null || !isPending) && isStreamRead;
}

function partOf(tab: PaneTab, job: Job): Omit<CallInput<'job:body'>, 'isWhole'> | null {
  const { key, attempt } = job;
  if (tab === 'input') return missingInputReason(job) === null ? { key, part: 'input', attempt: null } : null;
  const hasBody = job.outputForgottenAtMs === undefined && job.outputBytes > 0 && !isLive(job);
  return tab === 'output' && hasBody ? { key, part: 'output', attempt } : null;
}
