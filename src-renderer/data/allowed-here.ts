import type { Job } from '../../src-preload/job.ts';
import { allowedActions, type Allowed } from '../../src-preload/job-actions.ts';
import type { Connection } from '../../src-preload/connection.ts';
import { useShallow } from 'zustand/react/shallow';
import { serviceTimeMs } from './service-deadlines.ts';
import { useSession, type SessionState } from './session-store.ts';
import { commonText } from '../messages/common.ts';
import { notHereText } from '../messages/data/changes.ts';

type ActionsHere = ReturnType<typeof allowedActions> & {
  /** Opens the input in the composer, which can send it to any connection. */
  edit: Allowed;
};

/** The state of this window that decides what can be done with a job. */
export interface Here {
  connections: readonly Pick<Connection, 'id' | 'isSandbox'>[];
  isSandboxStopped: boolean;
}

/**
 * What can be done with a job in this window. To send it unchanged, its own connection must exist; to send it edited,
 * any connection will do.
 */
export function allowedHere(job: Job, nowMs: number, { connections, isSandboxStopped }: Here): ActionsHere {
  const allowed = offered(allowedActions(job, serviceTimeMs(job, nowMs)), job, { connections, isSandboxStopped });
  const { resubmit } = allowed;
  if (!resubmit.isAllowed || connections.some(({ id }) => id === job.connectionId))
    return { ...allowed, edit: resubmit };
  const isNone = connections.length === 0;
  return {
    ...allowed,
    resubmit: { isAllowed: false, reason: isNone ? commonText.addConnectionFirst : notHereText.connectionRemoved },
    edit: isNone ? { isAllowed: false, reason: commonText.addConnectionFirst } : resubmit,
  };
}

/** A stopped sandbox does not answer. Its jobs are there again when it runs. */
function offered(
  allowed: ReturnType<typeof allowedActions>,
  { connectionId, phase }: Job,
  { connections, isSandboxStopped }: Here,
): ReturnType<typeof allowedActions> {
  const isStopped = isSandboxStopped && connections.some(({ id, isSandbox }) => id === connectionId && isSandbox);
  if (!isStopped || phase !== 'active') return allowed;
  const not = (former: Allowed): Allowed =>
    former.isAllowed ? { isAllowed: false, reason: notHereText.sandboxStopped } : former;
  return {
    ...allowed,
    cancel: not(allowed.cancel),
    extendTtl: not(allowed.extendTtl),
    check: not(allowed.check),
  };
}

/** Takes from the session what decides which actions are allowed. */
function hereOf({ connections, sandbox }: Pick<SessionState, 'connections' | 'sandbox'>): Here {
  return { connections, isSandboxStopped: sandbox?.isRunning === false };
}

/** As `hereOf`, for a component: it is drawn again on a change. */
export function useHere(): Here {
  return useSession(useShallow(hereOf));
}

/** As above with the current state, for key presses and for components that a clock redraws. */
export function allowedNow(job: Job, nowMs: number): ActionsHere {
  return allowedHere(job, nowMs, hereOf(useSession.getState()));
}
