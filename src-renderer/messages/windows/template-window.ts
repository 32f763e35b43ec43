import { formatCount, formatMinute } from '../../../src-preload/format.ts';
import type { TemplateUpdateRecord } from '../../../src-preload/template.ts';

/** The window of a template. */
export const templateWindowText = {
  name: (template: string): string => `${template}, template`,
  kind: 'Template',
  part: 'This template',
  side: 'Side',
  edit: 'Edit',
  review: (changes: number): string => (changes === 0 ? 'Review' : `Review ${formatCount(changes)}`),
  draftNotSaved: (problem: string): string => `Draft not fully saved: ${problem}`,
  savingDraft: 'Saving draft',
  draftSaved: (atMs: number): string => `Draft saved ${formatMinute(atMs)}`,
  serverless: 'Serverless',
  forPods: 'For pods',
  public: 'Public',
  private: 'Private',
  official: 'Official',
  copyId: 'Copy the template’s id',
  lastKnown: (moment: string, source: string): string => `Last known ${moment}, ${source}`,
  readFromPod: 'Read from a pod',
};

/** The former copies of a template. */
export const templateCopyText = {
  asOf: (moment: string): string => `As of ${moment}`,
  restore: 'Restore (opens for review)',
  copies: (count: number): string => `${formatCount(count)} saved copies`,
};

/** Why nothing, or not everything, is known of a template. */
export const templateProblemText = {
  couldNotRead: 'Could not read what is known about this template',
  nothingKnownTitle: 'Nothing known about this template',
  nothingKnownHint:
    'The service cannot return templates. Load it from a pod that uses it, or fill in what you want to change: only ' +
    'that is sent, and the service may reset container disk, public, readme, volume and mount path to its defaults ' +
    'if you leave them out.',
};

const inProgress = 'in progress';

/** The status bar of a template's window. */
export const templateStatusText = {
  request: 'POST templates',
  inProgress,
  notSent: 'not sent yet',
  outcomes: { pending: inProgress, applied: 'saved', refused: 'rejected', unknown: 'outcome unknown' } satisfies Record<
    TemplateUpdateRecord['outcome']['kind'],
    string
  >,
  sessionOnly: 'Variable values are kept for this session only',
  nextChange: 'next change',
  undo: 'undo',
};
