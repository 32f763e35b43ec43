import { useEffect, useState } from 'react';
import type { Failure } from '../../src-preload/failure.ts';
import type { BodyText } from '../../src-preload/history.ts';
import { call } from '../bridge.ts';

export type BodyState =
  | { state: 'loading' }
  /** Nothing was kept under this part. */
  | { state: 'absent' }
  | { state: 'failed'; failure: Failure }
  | { state: 'ready'; body: BodyText };

export interface BodyWanted {
  key: string;
  part: 'input' | 'output' | 'error' | 'reply';
  /** Null for the newest attempt. */
  attempt: number | null;
  /** Reads again when it changes (an output that grew, a result that was saved). */
  version: string;
  /** False answers `absent` without asking. */
  isWanted: boolean;
}

export interface Body {
  current: BodyState;
  /** True while the rest of a cut body is read. */
  isLoadingRest: boolean;
  loadWhole: () => void;
  retry: () => void;
}

/**
 * A body kept for a job: the beginning first, the whole on request. What was read stays on screen while it is read
 * again.
 */
export function useBody({ key, part, attempt, version, isWanted }: BodyWanted): Body {
  const of = `${key} ${part} ${attempt ?? 'newest'}`;
  const [read, setRead] = useState<{ of: string; state: BodyState }>({ of, state: { state: 'loading' } });
  const [wholeOf, setWholeOf] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  const isWhole = wholeOf === of;

  useEffect(() => {
    if (!isWanted) return undefined;
    let isLeft = false;
    void call('job:body', { key, part, attempt, isWhole }).then((result) => {
      if (isLeft) return;
      const state: BodyState = result.ok
        ? { state: 'ready', body: result.value }
        : result.failure.kind === 'absent'
          ? { state: 'absent' }
          : { state: 'failed', failure: result.failure };
      setRead({ of, state });
    });
    return () => {
      isLeft = true;
    };
  }, [key, part, attempt, version, isWanted, isWhole, of, turn]);

  const current: BodyState = !isWanted ? { state: 'absent' } : read.of === of ? read.state : { state: 'loading' };
  return {
    current,
    isLoadingRest: isWhole && current.state === 'ready' && current.body.isCut,
    loadWhole: () => setWholeOf(of),
    retry: () => setTurn((value) => value + 1),
  };
}
