import { listed } from '../../../src-preload/messages/sentence.ts';
import type { ReactNode } from 'react';
import { formatCountOf, formatMinute } from '../../../src-preload/format.ts';
import type { UpdatableField } from '../../../src-preload/template.ts';
import { momentText } from './pane.ts';
import { templateFieldText } from './fields.ts';

/** Why the update cannot be sent now. */
export const sendRefusalText = {
  connectionRemoved: 'The connection was removed',
  sandboxStopped: 'The sandbox is stopped',
  noKey: 'This connection has no key',
  keyRefused: (httpStatus: number): string => `The service refused the key of this connection (${httpStatus})`,
  sending: 'Sending…',
  noChanges: 'No changes',
  toFix: (count: number): string => (count === 1 ? 'One field needs fixing' : `${count} fields need fixing`),
  enterFirst: (kind: 'name' | 'id'): string => `Enter the ${kind} of the template first`,
  tickFirst: 'Tick the box first',
};

const small = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** `two`, `12`. */
function inWords(count: number): string {
  return small[count] ?? String(count);
}

/** What saving triggers at how many known endpoints, and the button for it. */
export const releaseText = {
  region: 'Saving',
  title: (isOfPods: boolean): string =>
    isOfPods ? 'Saving changes a template of pods' : 'Saving starts a rolling release',
  effect: (isOfPods: boolean): string =>
    isOfPods
      ? 'Running pods are not affected; new ones use what you save.'
      : 'Every endpoint that uses this template replaces its workers.',
  uses: (count: number, isOfPods: boolean): string => {
    if (count === 0) return isOfPods ? '' : 'Jobdeck does not know which endpoints use it.';
    return `Jobdeck knows of ${inWords(count)}. There may be others.`;
  },
  official:
    'This is an official template, managed by the platform operator. The service may refuse the change, and others ' +
    'use the template.',
  noRestUrl: 'This connection has no REST URL, which templates need.',
  openSettings: 'Open its settings',
  more: (count: number): string => `and ${count} more`,
  confirm: (kind: 'name' | 'id', word: ReactNode): ReactNode => (
    <>
      Type the template’s {kind}, {word}, to confirm
    </>
  ),
  tick: (count: number, isOfPods: boolean): string => {
    if (count === 0) return isOfPods ? 'Change this template now' : 'Replace the workers of its endpoints now';
    if (count === 1) return 'Replace the workers of this endpoint now';
    return `Replace the workers of ${count === 2 ? 'both' : `all ${inWords(count)}`} endpoints now`;
  },
  discard: 'Discard',
  sending: 'Sending',
  save: (count: number, isOfPods: boolean): string =>
    count === 0 && isOfPods ? 'Save template' : 'Save and replace the workers',
};

/** An endpoint that uses the template. */
export const templateUseText = {
  healthNotKnown: 'health not known',
  running: (jobs: number): string => `${jobs} running`,
  idle: 'idle',
  workers: (count: number): string => formatCountOf(count, 'worker'),
};

/** The result of the last update. `when` is its time as `momentText`. */
export const lastUpdateText = {
  outcomeUnknown: 'Outcome of the update unknown',
  notConfirmed: 'The service did not confirm the update',
  readFromPod: 'Read the template from a pod',
  readSince: (readAtMs: number, nowMs: number): string =>
    `Jobdeck has read it since, ${momentText(readAtMs, nowMs)}: the form shows its current state.`,
  sent: (fields: readonly string[], when: string): string => `An update of ${listed(fields)} was sent ${when}.`,
  closedBeforeReply: 'Jobdeck closed before the reply arrived, so the template may have been changed.',
  notSentAgain: 'Jobdeck will not send it again.',
  saved: (when: string): string => `Saved ${when}`,
  savedDifferently: (when: string): string => `Saved ${when}, but not everything changed as requested`,
  accepted: (fields: readonly UpdatableField[], isExact: boolean): string =>
    `The service accepted ${listed(fields.map((field) => templateFieldText[field].label.toLowerCase()))}` +
    (isExact ? ' exactly as sent.' : '.'),
  field: 'Field',
  requested: 'Requested',
  now: 'Now',
  notSent: 'not sent',
  notMentioned: (fields: readonly string[]): string => `The reply does not mention ${listed(fields)}.`,
  rejected: (when: string): string => `The service rejected the update of ${when}`,
  tryAgainAfter: (atMs: number): string => `Try again after ${formatMinute(atMs)}.`,
  editsStay: 'Your edits are still here.',
  names: (field: ReactNode): ReactNode => <>It names {field}; see there.</>,
  rawReply: 'Raw reply',
};

/** The button that restores the state before the last update. */
export const undoUpdateText = {
  undo: 'Undo this update',
  formerUnknown: 'The state before this update is unknown',
  editsFirst: 'Save or discard your edits first',
  busy: 'Something is in progress',
};
