import { allowedActions, type Allowed, type Job } from '../../src-preload/job.ts';
import type { Connection } from '../../src-preload/connection.ts';
import { useShallow } from 'zustand/react/shallow';
import { useSession, type SessionState } from './session-store.ts';

type ActionsHere = ReturnType<typeof allowedActions> & {
  /** Open its input in the composer, which sends it to any connection there is. */
  edit: Allowed;
};

/** What of this window decides what can be done with a job. */
export interface Here {
  connections: readonly Pick<Connection, 'id' | 'isSandbox'>[];
  isSandboxStopped: boolean;
}

/**
 * What can be done with a job in this window. What sends something needs a connection to send it to: for a job that is
 * submitted unchanged its own, for one that is edited first any.
 */
export function allowedHere(job: Job, nowMs: number, { connections, isSandboxStopped }: Here): ActionsHere {
  const allowed = offered(allowedActions(job, nowMs), job, { connections, isSandboxStopped });
  const { resubmit } = allowed;
  if (!resubmit.isAllowed || connections.some(({ id }) => id === job.connectionId))
    return { ...allowed, edit: resubmit };
  const isNone = connections.length === 0;
  return {
    ...allowed,
    resubmit: { isAllowed: false, reason: isNone ? 'Add a connection first' : 'Its connection was removed' },
    edit: isNone ? { isAllowed: false, reason: 'Add a connection first' } : resubmit,
  };
}

/** A stopped sandbox answers nothing; its jobs are there again once it runs. */
function offered(
  allowed: ReturnType<typeof allowedActions>,
  { connectionId, phase }: Job,
  { connections, isSandboxStopped }: Here,
): ReturnType<typeof allowedActions> {
  const isStopped = isSandboxStopped && connections.some(({ id, isSandbox }) => id === connectionId && isSandbox);
  if (!isStopped || phase !== 'active') return allowed;
  const not = (former: Allowed): Allowed =>
    former.isAllowed ? { isAllowed: false, reason: 'The sandbox is not running' } : former;
  return {
    ...allowed,
    cancel: not(allowed.cancel),
    extendTtl: not(allowed.extendTtl),
    check: not(allowed.check),
  };
}

/** The part of the session that decides what is allowed. */
export function hereOf({ connections, sandbox }: Pick<SessionState, 'connections' | 'sandbox'>): Here {
  return { connections, isSandboxStopped: sandbox?.isRunning === false };
}

/** Drawn again when it changes. */
export function useHere(): Here {
  return useSession(useShallow(hereOf));
}

/** The same at this moment, for what is drawn again by the clock or asked by a key. */
export function allowedNow(job: Job, nowMs: number): ActionsHere {
  return allowedHere(job, nowMs, hereOf(useSession.getState()));
}
