import { formatCount, formatCountOf, formatMinute } from '../../../src-preload/format.ts';
import { countText } from '../common.ts';

/** The head of the sheet: where the job goes. */
export const composerHeadText = {
  resubmit: (title: string): string => `Resubmit ${title}`.trimEnd(),
  newBatch: 'New batch',
  endpoint: 'Endpoint',
  health: (running: number, idle: number, inQueue: number): string =>
    `${running} running, ${idle} idle, queue ${inQueue}`,
  operation: 'Operation',
  tooLargeForRun: 'The body is over the 10 MB limit of run',
  waitUpTo: 'Wait up to',
  waitSlider: 'Wait slider',
  wait: 'Wait',
  waitBounds: '1 s to 5 min',
  savedAt: (atMs: number): string => `Draft saved ${formatMinute(atMs)}`,
};

/** The foot of the sheet: what the keys do, and the buttons that submit. */
export const composerFootText = {
  keyInputs: 'inputs',
  keyInput: 'input',
  keyPolicy: 'policy',
  keyNextProblem: 'next problem',
  keyPreset: 'preset',
  keyPaste: 'paste cURL',
  fixLine: (line: number): string => `Fix line ${line} to submit`,
  waits: (sentWhen: string): string => `Waits here, to be sent ${sentWhen}`,
  savePreset: 'Save preset',
  saving: 'Saving…',
  savingJobs: (count: number): string => `Saving ${countText.jobs(count)}`,
  submitJob: 'Submit job',
  submitNone: 'Submit jobs',
  submitJobs: (count: number): string => `Submit ${countText.jobs(count)}`,
  moreWays: 'More ways to submit',
  submitAndOpen: 'Submit and open',
  submitAndStay: 'Submit and keep this open',
};

/** What happened to a submission, if the sheet stays open. */
export const submittedText = {
  job: (title: string): string => `Submitted ${title}.`,
  jobs: (count: number, batchName: string): string => `Submitted ${countText.jobs(count)} as ${batchName}.`,
  next: 'Change the input for the next one.',
  /** The engine refused some inputs of a batch. `message` is about the job number `first`. */
  refused: (count: number, first: number, message: string): string =>
    `Nothing was sent. ${formatCountOf(count, 'input')} would be rejected; job ${formatCount(first)}: ${message}`,
};

/** The sheet's parts, and its messages about other drafts. */
export const composerText = {
  options: 'Options',
  rail: 'Presets and history',
  startFrom: 'Start from',
  presets: 'Presets',
  history: 'History',
  resultStays: (minutes: number): string =>
    `The result stays on the server for ${minutes} min. Jobdeck saves it on arrival.`,
  rowsUnchanged: 'The rows are unchanged.',
  ndjsonOnly: 'Earlier inputs can be added to NDJSON, one object per line.',
  draftIsBack: (endpoint: string): string => `Your draft for ${endpoint} is back.`,
  formerIsSaved: (endpoint: string): string => `The one for ${endpoint} is saved.`,
  otherInput: 'Use the other input',
  draftStays: 'Your draft is unchanged.',
  inputCame: 'The link or example has another input.',
  usesInputFor: (endpoint: string): string => `This is now the input for ${endpoint}.`,
};

/** Earlier inputs of the endpoint. */
export const inputHistoryText = {
  search: 'Search history',
  placeholder: 'Search inputs',
  empty: 'Inputs you send to this endpoint appear here.',
  noMatch: 'No input matches.',
  list: 'Previous inputs',
  runs: (count: number): string => (count >= 1_000 ? '1,000+ runs' : `${count} runs`),
};
