import { formatBytes, formatCountOf } from '../../../src-preload/format.ts';

/** The panel that shows what will change. */
export const reviewText = {
  title: 'Review',
  changesTab: 'Changes',
  bodyTab: 'Request body',
  couldNot: 'Could not do that',
  newerCopy: 'A newer copy of the template arrived',
  newerCopyHint: 'Your edits stay, and are compared with the newer copy.',
  notRestorable: 'Not everything can be restored',
  notRestorableHint: (fields: readonly string[]): string =>
    `The former value of ${fields.join(', ')} is unknown, or an update cannot send it.`,
  emptyTitle: 'No changes',
  emptyHint: 'Your edits appear here before you save.',
  changed: (count: number): string => `${formatCountOf(count, 'field')} changed`,
  noLastKnown: 'no last known values',
  againstLastKnown: 'against last known',
  changeOf: (field: string): string => `Change of ${field}`,
  toFix: 'Fields to fix',
};

/** The request as it will be sent. */
export const requestBodyText = {
  title: 'Request body',
  size: (bytes: number): string => `${formatBytes(bytes)} of JSON.`,
  valuesHidden: 'Variable values are filled in when the request is sent, and never shown.',
  sentOnce: 'Sent once; never repeated automatically.',
};

/** The change of one field, line by line. */
export const fieldDiffText = {
  /** Before a line, for screen readers. */
  added: 'Added:',
  removed: 'Removed:',
  notKnown: 'not known',
  empty: 'empty',
  emptyList: '[] none',
  emptyValue: '(empty)',
  asItWas: (value: string): string => `${value} as it was`,
  kept: (count: number): string => `${count} kept as ${count === 1 ? 'it is' : 'they are'}`,
  more: (count: number): string => `and ${count} more`,
};

/** Which fields are sent, and why. `isKnown`: there is a last known copy. */
export const sentFieldsText = {
  title: 'What will be sent',
  changed: 'Changed',
  pinned: 'Pinned',
  pinnedHint: 'The service has defaults for these. Sending the current value keeps it.',
  mayBeReset: 'May be reset',
  mayBeResetHint: (isKnown: boolean): string =>
    `Left out, because ${isKnown ? 'their values are not' : 'nothing of the template is'} known here. ` +
    'The service may set them to these defaults.',
  leftOut: 'Left out',
  leftOutHint: (isKnown: boolean): string =>
    `${isKnown ? 'Not changed' : 'Not edited'}, and the service has no defaults for these.`,
};

/** The toast after a discard. */
export const discardText = {
  discarded: (hasPaste: boolean): string => `Discarded the edits${hasPaste ? ' and the pasted .env file' : ''}`,
};
