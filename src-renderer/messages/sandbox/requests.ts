import { formatCount, formatCountOf } from '../../../src-preload/format.ts';

/** The bar above the requests. */
export const requestBarText = {
  requests: 'Requests',
  filter: 'Filter requests',
  filterPlaceholder: 'Operation, job or status',
  endpoint: 'Endpoint of requests',
  everyEndpoint: 'Every endpoint',
  clear: 'Clear the list',
  pause: 'Pause',
  resume: (waiting: number): string => (waiting === 0 ? 'Resume' : `Resume, ${formatCount(waiting)} new`),
  outcome: 'Status of requests',
};

/** The outcomes to choose from. */
export const requestChoiceNames = {
  all: 'All',
  done: '2xx',
  limited: '429',
  refused: '4xx',
  failed: '5xx',
  dropped: 'No answer',
  faulted: 'By a fault',
};

/** The columns of the list. */
export const requestColumnNames = {
  time: 'Time',
  operation: 'Operation',
  endpoint: 'Endpoint',
  job: 'Job',
  status: 'Status',
  took: 'Took',
  sent: 'Sent',
  received: 'Received',
  fault: 'Fault',
};

/** The list and its rows. */
export const requestsText = {
  newest: 'Newest',
  unknownJob: 'Jobdeck does not know this job. Another client sent it.',
  showJob: (shortId: string): string => `Show job ${shortId}`,
  noStatus: 'none',
  /** Local answers often take less than a millisecond. */
  took: (ms: number): string => {
    if (ms < 0.1) return '<0.1 ms';
    if (ms < 10) return `${ms.toFixed(1)} ms`;
    return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
  },
  /** `missed`: how many requests are not in the list. */
  count: (shown: number, missed: number): string =>
    missed === 0
      ? formatCountOf(shown, 'request')
      : `The last ${formatCountOf(shown, 'request')}; ${formatCountOf(missed, 'other is', 'others are')} not listed`,
};

/** What is shown instead of an empty list. */
export const noRequestsText = {
  noMatchTitle: 'No request matches',
  noMatch: (count: number): string => `${formatCountOf(count, 'request is', 'requests are')} in the list.`,
  showAll: 'Show all requests',
  failedTitle: 'The sandbox is gone',
  startAgain: 'Start it again',
  stoppedTitle: 'The sandbox is not running',
  stopped:
    'Start it, and requests from Jobdeck, an SDK or curl appear here as they arrive. You can set speed and faults ' +
    'before that.',
  start: 'Start it',
  couldNotRead: 'Could not read the earlier requests',
  newOnesAppear: 'New requests appear here as they come.',
  emptyTitle: 'No requests yet',
  empty:
    'Requests from Jobdeck, an SDK or curl appear here as they arrive. The address and key above are all a client ' +
    'needs.',
};
