import type { ReactNode } from 'react';
import {
  maxCountedAgain,
  type CommonFact,
  type FactTrait,
  type FailureDetail,
  type JsonType,
} from '../../../src-preload/failure-cause.ts';
import { formatAge, formatClock, formatCount, formatCountOf, formatDay } from '../../../src-preload/format.ts';

/** The details of a cause. */
export const causeText = {
  label: 'Cause',
  failed: (jobs: number): string => `${formatCountOf(jobs, 'job')} failed`,
  firstSeen: (atMs: number, nowMs: number): string => `first seen ${formatDay(atMs, nowMs)}, ${formatClock(atMs)}`,
  lastSeen: (agoMs: number): string => `last seen ${formatAge(agoMs)} ago`,
  /** The numbers that a part of the message had. */
  range: (min: string, max: string): string => `${min} to ${max}`,
  jobs: 'Jobs',
  newest: (shown: number, total: number): string => `newest ${shown} of ${formatCount(total)}`,
};

/** The trend of a cause, with a mark where a template was updated. */
export const trendText = {
  updated: (template: string): string => `${template} updated`,
  mark: (text: string, atMs: number, nowMs: number): string =>
    `${text}, ${formatDay(atMs, nowMs)}, ${formatClock(atMs)}`,
  time: 'Time of the trend',
  now: 'now',
};

/** How many jobs were compared. */
type Seen = Pick<FailureDetail, 'failedSeen' | 'completedSeen'>;

/** What the failed jobs of a cause have in common. */
export const inCommonText = {
  title: 'What they have in common',
  compared: ({ failedSeen, completedSeen, total }: Seen & Pick<FailureDetail, 'total'>): string => {
    const failed = `${failedSeen < total ? 'the newest ' : ''}${formatCountOf(failedSeen, 'job')}`;
    return completedSeen === 0 ? failed : `${failed}, compared with ${formatCount(completedSeen)} that completed`;
  },
  nothing: ({ completedSeen }: Seen): string =>
    completedSeen === 0
      ? 'No completed jobs to compare them with yet.'
      : 'Nothing in their inputs sets them apart from jobs that completed.',
  fact: 'Input or fact',
  failed: 'Failed',
  completed: 'Completed',
  share: (having: number, all: number): string => `${having} of ${all}`,
};

const typeWords: Readonly<Record<JsonType, string>> = {
  number: 'a number',
  text: 'text',
  boolean: 'true or false',
  null: 'null',
  list: 'a list',
  object: 'an object',
};

/** What the jobs have at a path, after its name: `24`, `is text`, `is missing`. */
export function traitText(trait: FactTrait): string {
  return trait.kind === 'value' ? trait.text : `is ${wordsOf(trait)}`;
}

function traitWords(trait: FactTrait): ReactNode {
  return trait.kind === 'value' ? <code>{trait.text}</code> : wordsOf(trait);
}

function wordsOf(trait: Exclude<FactTrait, { kind: 'value' }>): string {
  return trait.kind === 'type' ? typeWords[trait.type] : trait.kind;
}

/** What separates failed from completed jobs, and the way to try without it. */
export const differenceText = {
  reason: ({ name, trait }: CommonFact): ReactNode => (
    <>
      Most likely reason: <code>{name}</code> is {traitWords(trait)}.
    </>
  ),
  /** Too few jobs were compared to call it a reason. */
  differs: ({ name, trait, failed, completed }: CommonFact, { failedSeen, completedSeen }: Seen): ReactNode => (
    <>
      They differ in <code>{name}</code>: it is {traitWords(trait)} in {failed} of{' '}
      {formatCountOf(failedSeen, 'failed job')} and in {completed} of {formatCount(completedSeen)} completed. Too few
      were compared to call it the reason.
    </>
  ),
  /** Of the compared jobs only: others may have failed for another reason. */
  instead: (value: ReactNode, completed: number): ReactNode => (
    <>
      With {value}, {completed === 1 ? 'the one' : `all ${formatCount(completed)}`} compared here completed.
    </>
  ),
  /** `value` null: it is too long to be repeated. */
  resubmitWith: (value: string | null): string => `Resubmit with ${value ?? 'that'}`,
  change: (name: string): string => `Change ${name}`,
  couldNotChange: (name: string): string => `Could not find ${name} in this input. Change it here.`,
};

/** The actions on all jobs of a cause. `newest` null: on all of them. */
export const causeActionsText = {
  label: 'This cause',
  retry: (newest: number | null): string => `Retry ${whichJobs(newest)}`,
  resubmit: (newest: number | null): string => `Resubmit ${whichJobs(newest)}`,
  mute: 'Mute',
  unmute: 'Unmute',
  openInList: 'Open in list',
  inProgress: 'In progress',
  reading: 'Their jobs are still being read',
  resultsExpired: 'Their results have expired on the service; resubmit them',
  inputsUnknown: 'Their inputs are not known here',
  couldNotReadJobs: (message: string): string => `Could not read the jobs of this cause. ${message}`,
  /** `18 retried, 8 resubmitted`: what was done before. */
  doneBefore: ({ retried, sentAgain, total }: FailureDetail): string => {
    const parts = [
      retried > 0 && `${formatCount(retried)} retried`,
      sentAgain > 0 && `${formatCount(sentAgain)} resubmitted`,
    ];
    const counted = parts.filter((part) => part !== false).join(', ');
    if (counted === '' || total <= maxCountedAgain) return counted;
    return `${counted} of the newest ${formatCount(maxCountedAgain)}`;
  },
};

function whichJobs(newest: number | null): string {
  return newest === null ? 'all' : `newest ${formatCount(newest)}`;
}
