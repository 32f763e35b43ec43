import { formatCountOf, formatCredits } from '../../src-preload/format.ts';

/** The page of a report. */
export const reportText = {
  jobs: 'Jobs',
  note: 'Note',
  output: 'Output',
  input: 'Input',
  error: 'Error',
  traceback: 'Traceback',
  cutStream: (shown: number, missing: number): string =>
    `The stream is too long for a report. It shows the first ${formatCountOf(shown, 'chunk')}; ` +
    `${formatCountOf(missing, 'chunk')} ${missing === 1 ? 'is' : 'are'} missing here. ` +
    'An NDJSON, CSV or dataset export has the whole stream.',
  /** In place of an image, in the text of a body. */
  imageHere: (number: number, caption: string): string => `(image ${number}: ${caption})`,
  imageOf: (part: string, number: number): string => `${part}, image ${number}`,
};

/** The names of the facts about a job. */
export const reportFactText = {
  endpoint: 'Endpoint',
  connection: 'Connection',
  jobId: 'Job id',
  created: 'Created',
  finished: 'Finished',
  wait: 'Wait',
  execution: 'Execution',
  cost: 'Cost',
  credits: (credits: number): string => `${formatCredits(credits)} credits (estimate)`,
  attempt: 'Attempt',
  tags: 'Tags',
  mark: 'Mark',
  label: 'Label',
  outputDeleted: 'Output deleted',
  inputDeleted: 'Input deleted',
};
