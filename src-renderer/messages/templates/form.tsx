import type { ReactNode } from 'react';
import { momentText } from './pane.ts';

/** The sections of the form. */
export const formText = {
  image: 'Image',
  storage: 'Storage',
  wipedGb: 'GB, wiped on restart',
  keptGb: 'GB, kept',
  portsAndEnv: 'Ports and environment',
  readme: 'Readme',
  fixed: 'Not changed by an update',
  publicHint: 'Usable by any user when on',
  publicUnknown: 'Not known; switch it to set it',
};

/** Values of the form that are missing or no text. */
export const valueText = { notKnown: 'not known', none: 'none', on: 'on', off: 'off', yes: 'yes', no: 'no' };

/** Why a field has no value. The service distinguishes them. */
export type Emptiness = 'absent' | 'null' | 'empty';

export const emptinessText: Readonly<Record<Emptiness, { word: string; meaning: string }>> = {
  absent: { word: 'absent', meaning: 'No reply contained this field: its value is not known.' },
  null: { word: 'null', meaning: 'The service gave null: it has no value.' },
  empty: { word: 'empty', meaning: 'The service gave an empty value.' },
};

/** What is drawn around each field: what is known of it, and its former value. */
export const fieldFrameText = {
  was: (value: ReactNode): ReactNode => <>was {value}</>,
  empty: 'empty',
  undo: (label: string): string => `Undo change of ${label.toLowerCase()}`,
  odd: 'unexpected value',
  oddHint: 'The last reply had this field in an unexpected format; any value shown here is older.',
  asOf: (atMs: number, nowMs: number): string => `as of ${momentText(atMs, nowMs)}`,
  asOfHint: 'The last reply did not contain this field. This is the last known value.',
  serviceSaid: (text: string): string => `The service said: ${text}`,
};

/** A command as a list of arguments. */
export const argumentText = {
  change: (argument: string): string => `Change argument ${argument}`,
  remove: (argument: string): string => `Remove argument ${argument}`,
  next: (label: string): string => `${label}: next argument`,
  fromImage: 'from the image',
  imagesOwn: (label: string): string => `${label}: use the image’s own`,
  imagesOwnHint: 'Use the image’s own: an empty list',
};

export const portsEditorText = {
  add: 'Port',
  notKnown: 'Not known',
  none: 'No ports',
  port: (line: number): string => `Port ${line}`,
  protocol: (line: number): string => `Protocol of port ${line}`,
  new: 'new',
  remove: (port: string): string => `Remove port ${port}`,
};

export const readmeText = {
  view: 'Readme view',
  write: 'Write',
  split: 'Split',
  preview: 'Preview',
  editor: 'Readme, markdown',
  unknown: 'Unknown. What you write here replaces it.',
  empty: 'Markdown shown with the template',
  previewRegion: 'Readme preview',
  nothing: 'Nothing to preview',
  tooLong: 'This readme is too long to preview while you edit. It is sent in full.',
  /** Where a link comes from, in the question before it is opened. */
  owner: 'the readme',
};

/** Asks for the pod to read the template from. */
export const readDialogText = {
  title: 'Read from a pod',
  podId: 'Pod id',
  hint: 'The service returns a template only with a pod or worker that uses it.',
  podIdMissing: 'Enter a pod id first',
  waiting: 'Reading…',
  reading: 'Reading',
  read: 'Read',
  seenAt: 'Seen at',
};
