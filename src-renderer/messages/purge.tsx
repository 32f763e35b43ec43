import type { ReactNode } from 'react';
import type { Failure } from '../../src-preload/failure.ts';
import { formatAge, formatCount, formatCountOf, formatDay, formatMinute } from '../../src-preload/format.ts';
import { asSentence } from '../../src-preload/messages/sentence.ts';
import { ownPurgesPerWindow, type Purge } from '../../src-preload/purge.ts';

/** The card of an endpoint's queue. */
export const purgeText = {
  title: 'Purge queue',
  lockedFor: (seconds: number): string => `Locked, free in ${seconds} s`,
  allowance: (used: number, serviceLimit: number): string =>
    `${used} of ${ownPurgesPerWindow} used (service limit ${serviceLimit} per 10 s)`,
  nothingPurged: 'Nothing was purged',
  noPurgesYet: 'No purges yet',
};

/** What the next purge would remove. */
export const purgePreviewText = {
  unknownCount: 'The number of waiting jobs is unknown.',
  emptyQueue: 'This queue is empty now.',
  removes: (waitingJobs: ReactNode): ReactNode => <>Removes the {waitingJobs}.</>,
  /** `12 waiting jobs`; `isLeast`: the service may have more. */
  waitingJobs: (count: number, isLeast: boolean): string =>
    `${formatCountOf(count, 'waiting job')}${isLeast ? ' or more' : ''}`,
  /** What becomes of the jobs that workers have. Null: how many is not known. */
  running: (count: number | null): string => {
    if (count === null) return 'Running jobs continue.';
    if (count === 0) return 'No job is running.';
    return `The ${formatCountOf(count, 'running job')} ${count === 1 ? 'continues' : 'continue'}.`;
  },
  tracked: (count: number): string => `${formatCount(count)} tracked here`,
  othersUnknown: 'others not known',
  external: (count: number): string => `${formatCount(count)} sent from elsewhere`,
  ourJobs: 'Waiting jobs sent from here',
  disagreement: (inQueue: number, tracked: number): string =>
    `The service reports ${formatCount(inQueue)} waiting, and ${formatCount(tracked)} sent from here ` +
    'were waiting at the last check. One of the two is out of date.',
  unsent: (count: number): string =>
    `${formatCountOf(count, 'job')} not sent yet ${count === 1 ? 'stays' : 'stay'}: ` +
    'batch rows and the outbox are not in the queue.',
  sending: (count: number): string => `${formatCountOf(count, 'job')} being sent now may or may not be removed.`,
  notRead: 'Queue not read yet',
  notReadSincePurge: 'Queue not read since the purge',
  read: (ageMs: number): string =>
    ageMs < 2_000 ? 'Queue read just now' : `Queue read ${formatAge(Math.max(0, ageMs))} ago`,
  couldNotReadAgain: (state: string, message: string): string => `${state}. Could not read it again. ${message}`,
  readAgain: 'Read the queue again',
};

/** The typed name, and the button that it unlocks. */
export const purgeOrderText = {
  purging: 'Purging…',
  lockedFor: (seconds: number): string => `Locked for ${seconds} s`,
  typeFirst: (name: string): string => `Type ${name} first`,
  sending: 'Purging',
  hold: 'Hold to purge',
  holdFor: (jobs: string): string => `Hold to purge ${jobs}`,
  confirm: 'Confirm purge',
  confirmOf: (jobs: string): string => `Confirm purge of ${jobs}`,
  /** `12 jobs`; `isLeast`: the service may have more; `12 jobs as of 40 s ago`. */
  jobs: (count: number, isLeast: boolean, oldAgeMs: number | null): string =>
    `${formatCountOf(count, 'job')}${isLeast ? ' or more' : ''}` +
    (oldAgeMs === null ? '' : ` as of ${formatAge(oldAgeMs)} ago`),
  readFirst: 'Wait until the queue is read',
  readingHint: 'Reading the queue first.',
  nameLabel: 'Type the endpoint name to unlock',
  wrongName: (name: string): string => `This is neither ${name} nor its id`,
  twoPresses: 'Purge with two presses instead',
  releasedTooEarly: 'Released too early. Hold for 1.2 s, or use two presses.',
  lockedHint: 'Locked for 10 s after each purge. Tracked inputs stay saved.',
  lockHint: 'Then locked for 10 s. Tracked inputs stay saved.',
};

/** Names of jobs, folded after the first few. */
export const jobNamesText = {
  more: (count: number): string => `and ${formatCount(count)} more`,
  showFewer: 'Show fewer',
  showAll: (count: number): string => `Show all ${formatCount(count)}`,
};

/** The jobs that a purge removed, which can be submitted again. */
export const purgedJobsText = {
  label: 'Purged jobs sent from here',
  submitting: 'Submitting…',
  submitAgain: (count: number): string => `Submit ${formatCount(count)} again`,
  asBatch: 'As a batch',
  submittedAgain: (count: number): string => `${formatCountOf(count, 'job')} submitted again`,
};

/** The result of a purge: a headline, and sentences under it. */
export interface PurgeReport {
  tone: 'neutral' | 'warning' | 'error';
  title: string;
  lines: string[];
}

/** The report on a purge that was just sent. */
export function purgeReport(purge: Purge): PurgeReport {
  const { outcome } = purge;
  switch (outcome.kind) {
    case 'under-way':
      return { tone: 'neutral', title: purgeOrderText.purging, lines: [] };
    case 'removed':
      return {
        tone: 'neutral',
        title: `${formatCountOf(outcome.removed, 'job')} removed`,
        lines: [...comparedLine(purge.expected, outcome.removed), ...ourJobLines(purge)],
      };
    case 'unknown':
      return {
        tone: 'warning',
        title:
          `Outcome unknown: ${purge.expected === null ? 'waiting jobs' : formatCountOf(purge.expected, 'job')} ` +
          'may have been removed',
        lines: [
          `${asSentence(outcome.reason)} Jobdeck will not send it again, because a second purge would remove newer ` +
            'jobs.',
          ...ourJobLines(purge),
        ],
      };
    case 'refused':
      return { tone: 'error', title: purgeText.nothingPurged, lines: failureLines(outcome.failure) };
  }
}

function comparedLine(expected: number | null, removed: number): string[] {
  if (expected === null || expected === removed) return [];
  if (removed > expected)
    return [`${formatCount(removed - expected)} more than were waiting before: they arrived in between.`];
  return [
    `${formatCount(expected - removed)} fewer than were waiting: they started or left the queue in the meantime.`,
  ];
}

function ourJobLines({ tracked, purged, undecided }: Purge): string[] {
  if (tracked === 0) return ['None of them were sent from here.'];
  // The two are counted a moment apart, so a job that is gone may still count as undecided.
  const stillOpen = Math.min(undecided, Math.max(0, tracked - purged));
  const others = tracked - purged - stillOpen;
  const parts = [
    `${formatCount(purged)} of ${formatCount(tracked)} sent from here ${purged === 1 ? 'is' : 'are'} gone`,
  ];
  if (others > 0) parts.push(`${formatCount(others)} had left the queue before`);
  if (stillOpen > 0) parts.push(`${formatCount(stillOpen)} still being checked`);
  return [`${parts.join(', ')}. Their inputs stay saved.`];
}

/** A failure as sentences: ours, and the service's own message. */
export function failureLines(failure: Failure): string[] {
  const serviceSaid = 'serviceSaid' in failure ? failure.serviceSaid : undefined;
  return serviceSaid === undefined || failure.message.includes(serviceSaid)
    ? [failure.message]
    : [failure.message, `The service said: ${serviceSaid}`];
}

/** `Last purge 12 Nov, 16:02`, and its result. */
export function lastPurge({ startedAtMs, outcome }: Purge, nowMs: number): { when: string; result: string } {
  const when = `Last purge ${formatDay(startedAtMs, nowMs)}, ${formatMinute(startedAtMs)}`;
  if (outcome.kind === 'removed') return { when, result: `${formatCount(outcome.removed)} removed` };
  return { when, result: lastOutcomes[outcome.kind] };
}

const lastOutcomes: Readonly<Record<Exclude<Purge['outcome']['kind'], 'removed'>, string>> = {
  'under-way': 'in progress',
  unknown: 'outcome unknown',
  refused: 'refused',
};
