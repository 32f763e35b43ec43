import { formatCount, formatCountOf } from '../../../src-preload/format.ts';
import type { JobPage, JobView } from '../../../src-preload/history.ts';

type Total = Pick<JobPage, 'total' | 'isTotalCut'>;

/** `12`, or `5,000+` where the count stopped. */
export function totalCount({ total, isTotalCut }: Total): string {
  return `${formatCount(total)}${isTotalCut ? '+' : ''}`;
}

/** `12 jobs`, or `5,000+ jobs` where the count stopped. */
export function totalText({ total, isTotalCut }: Total): string {
  return isTotalCut ? `${formatCount(total)}+ jobs` : formatCountOf(total, 'job');
}

/** The list's pane and its menu. */
export const jobsPaneText = {
  jobs: 'Jobs',
  menu: 'List',
  density: 'Density',
  comfortable: 'Comfortable',
  compact: 'Compact',
  order: 'Order',
  byRow: 'By row',
  newestFirst: 'Newest first',
  columns: 'Columns',
  saveView: 'Save view',
  couldNotRead: 'Could not read the history',
  newJobs: (count: number): string => `${formatCount(count)} new`,
  loadingOlder: 'Loading older jobs',
  loadingMore: 'Loading more jobs',
};

/** What a view shows while it has no jobs. */
export const emptyViewText: Readonly<Record<Exclude<JobView, 'all'>, { title: string; text: string }>> = {
  active: { title: 'Nothing is running', text: 'Jobs that are waiting, running or being sent appear here.' },
  'finished-today': { title: 'Nothing finished today', text: 'Jobs that end today appear here with their results.' },
  failed: { title: 'No failed jobs', text: 'Jobs that fail or reach a limit appear here, with their errors.' },
  starred: { title: 'No starred jobs', text: 'Press S on a job to star it.' },
};

/** The list of a connection or endpoint without jobs. */
export const noJobsText = {
  title: 'No jobs yet',
  titleOfEndpoint: 'No jobs on this endpoint yet',
  hint: 'Jobs you submit or track appear here and are saved on this computer.',
  track: 'Track a job by id',
  paste: 'Have a cURL? Paste it into a new job.',
};

/** What the sandbox offers to start with. The prompts are sent as they are here. */
export const sandboxExampleText = {
  orStartWith: 'or start with',
  streamText: 'Stream a text',
  streamTextPrompt: 'Review of the outage on Tuesday, with causes and next steps',
  makeImage: 'Make an image',
  makeImagePrompt: 'Layered mountain ridges in morning fog',
  failOnPurpose: 'Fail on purpose',
  failure: 'CUDA out of memory: tried to allocate 5.10 GiB',
};

/** Instead of the list, where the service refuses the connection's key. */
export const keyRefusedText = {
  title: (connection: string): string => `The key for ${connection} was refused`,
  request: (path: string, httpStatus: number): string => `${path}\u00a0 ${httpStatus}`,
  meaning:
    'It may be wrong, not allowed on these endpoints, or refused only temporarily. Meanwhile Jobdeck reads and sends ' +
    'nothing on this connection; history and outbox are safe.',
  replaceKey: 'Replace key',
  sendBare: 'Send as bare key',
  sendAsBearer: 'Send as Bearer',
};

/** The bar with the actions on the selected jobs. */
export const bulkBarText = {
  selected: (count: number): string => `${formatCount(count)} selected`,
  /** Behind the number, where there is room for it. */
  selectedWord: 'selected',
  selectAll: (total: Total): string => `Select all ${totalCount(total)}`,
  cancel: 'Cancel',
  resubmit: 'Resubmit',
  compare: 'Compare',
  compareWithOpen: 'Compare with the open job',
  markAndLabel: 'Mark and label',
  mark: 'Mark',
  tag: 'Tag',
  markSeen: 'Mark as seen',
  export: 'Export',
  clear: 'Clear',
};

/** What an action did to several jobs. `total` is how many it was meant for. */
export const manyJobsText = {
  cancelled: (count: number, total: number): string => `${countOf(count, total)} cancelled`,
  /** `waiting` is how many of them could not be sent yet. */
  retried: (count: number, total: number, waiting: number): string =>
    `${countOf(count, total)} retried${soon(waiting)}`,
  resubmitted: (count: number, total: number, waiting: number): string =>
    `${countOf(count, total)} submitted again${soon(waiting)}`,
};

function soon(waiting: number): string {
  return waiting === 0 ? '' : `, ${formatCount(waiting)} of them as soon as possible`;
}

function countOf(count: number, total: number): string {
  return count === total ? formatCountOf(count, 'job') : `${formatCount(count)} of ${formatCountOf(total, 'job')}`;
}
