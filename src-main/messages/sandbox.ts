import { asSentence } from '../../src-preload/messages/sentence.ts';

/** The built-in sandbox. */
export const sandboxText = {
  /** How templates name the service that they were seen at. */
  service: 'the sandbox',
  turnedOff: 'The built-in sandbox is turned off for this start (JOBDECK_SANDBOX=off).',
  didNotStart: (detail: string): string =>
    `The built-in sandbox did not start: ${asSentence(detail)} Everything else works; try again.`,
  threadEnded: 'its thread ended',
  noAnswer: 'its thread did not answer in time',
  /** `reason` is null if it is unknown. */
  endedUnexpectedly: (reason: string | null): string =>
    `The built-in sandbox ended unexpectedly${reason === null ? '' : ` (${reason})`}. Its ` +
    'jobs are saved on disk and continue when you open it again.',
  sameFaultIds: 'Two faults have the same id, so nothing was changed.',
};

/** The user's own handlers in the sandbox. */
export const sandboxHandlerText = {
  notSaved: (problem: string): string => `Could not save the list of your handlers: ${asSentence(problem)}`,
  noHandlerFile:
    'A handler is a Python file (.py), or a JavaScript or TypeScript module (.mjs, .js, .cjs, .ts, .mts, .cts).',
  noSuchFile: (path: string): string => `There is no file ${path}.`,
  tooMany: (most: number): string => `The sandbox serves up to ${most} handlers of your own. Remove one first.`,
};
