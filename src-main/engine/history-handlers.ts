import type { Handlers } from '../../src-preload/contract.ts';
import { ok } from '../../src-preload/failure.ts';
import { fromHistory, type History, foundInHistory } from '../history/history.ts';
import { historyText } from '../messages/history.ts';

/** The calls that save unfinished input. */
export function draftHandlers(
  history: Pick<History, 'readDocument' | 'putDocument'>,
): Pick<Handlers, 'draft:load' | 'draft:save'> {
  return {
    'draft:load': async ({ slot }) => {
      const kept = await fromHistory(history.readDocument('draft', slot));
      return kept.ok ? ok(kept.value === null || kept.value === '' ? null : { text: kept.value }) : kept;
    },
    'draft:save': async ({ slot, text }) => {
      const kept = await fromHistory(history.putDocument('draft', slot, text));
      return kept.ok ? ok(null) : kept;
    },
  };
}

/** How many jobs of a cause are shown with it. */
const shownJobs = 50;

type FailureCall = Extract<keyof Handlers, `failure:${string}`>;

/** Handlers of the calls about failures by cause. */
export function failureHandlers(
  history: Pick<
    History,
    'failureCauses' | 'failuresByWorker' | 'causeNames' | 'causeOfJob' | 'failureCause' | 'muteCause'
  >,
): Pick<Handlers, FailureCall> {
  return {
    'failure:causes': ({ connectionId, sinceMs }) => fromHistory(history.failureCauses(connectionId, sinceMs)),
    'failure:byWorker': ({ connectionId, sinceMs }) => fromHistory(history.failuresByWorker(connectionId, sinceMs)),
    'failure:names': ({ connectionId }) => fromHistory(history.causeNames(connectionId)),
    'failure:cause': ({ id }) => foundInHistory(history.failureCause(id, shownJobs), historyText.noCause),
    'failure:ofJob': ({ key }) => foundInHistory(history.causeOfJob(key), historyText.notFailed),
    'failure:mute': async ({ id, mute }) => {
      const muted = await fromHistory(history.muteCause(id, mute));
      return muted.ok ? ok(null) : muted;
    },
  };
}
