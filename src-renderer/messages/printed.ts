import { formatBytes, formatCount, formatCountOf } from '../../src-preload/format.ts';
import { printedBounds, type PrintedStream } from '../../src-preload/printed.ts';

/** How a stream is named in a row. The usual one is not: a word in each row would hide the other. */
export const printedStreamNames: Readonly<Record<PrintedStream, { short: string; whole: string }>> = {
  stdout: { short: '', whole: 'Standard output' },
  stderr: { short: 'err', whole: 'Standard error' },
};

/** A list of printed lines and what is done with it. */
export const printedText = {
  lines: 'Printed lines',
  find: 'Find in the printed lines',
  wrap: 'Wrap long lines',
  copy: 'Copy the lines shown',
  showJob: (shortId: string): string => `Show job ${shortId}`,
  onlyJob: (shortId: string): string => `Only job ${shortId}`,
  noJob: 'Not printed by the code of one certain job',
  /** The columns of the sandbox's list, in order. */
  columns: { time: 'Time', worker: 'Worker', job: 'Job', line: 'Line' },
  /** The end of a line that is too long to show. */
  more: (chars: number): string => `… ${formatCountOf(chars, 'more character')}`,
  /** Between the first and the last lines of a job. */
  gap: (count: number): string => `${formatCountOf(count, 'line')} not kept`,
  found: (at: number, count: number): string =>
    count === 0 ? 'No matches' : `${formatCount(at + 1)} of ${formatCount(count)}`,
};

/** The printed output of the sandbox. */
export const printedPaneText = {
  requests: 'Requests',
  printed: 'Printed output',
  views: 'What is shown of the sandbox',
  place: 'Endpoint and worker of the lines',
  everyPlace: 'Every worker',
  worker: (endpointId: string, shortId: string): string => `${endpointId}, worker ${shortId}`,
  job: 'Job of the lines',
  everyJob: 'Every job',
  noJob: 'No certain job',
  clear: 'Clear the list',
  emptyTitle: 'Nothing printed yet',
  empty:
    'What your own handlers print appears here: console.log, print, warnings, and why a file cannot be loaded. The ' +
    'built-in endpoints print nothing.',
  noMatchTitle: 'No line matches',
  noMatch: (count: number): string => `${formatCountOf(count, 'line is', 'lines are')} in the list.`,
  showAll: 'Show all lines',
  couldNotRead: 'Could not read the earlier lines',
  newOnesAppear: 'New lines appear here as they come.',
  stopped: 'Start it, and what your handlers print appears here.',
  /** `shown` of `kept` lines pass the filter; `missed` lines are no longer there. */
  count: (shown: number, kept: number, missed: number): string => {
    const lines =
      shown === kept ? formatCountOf(kept, 'line') : `${formatCount(shown)} of ${formatCountOf(kept, 'line')}`;
    if (missed === 0) return lines;
    const most = `${formatCount(printedBounds.lines)} lines or ${formatBytes(printedBounds.chars)}`;
    return (
      `${lines}. ${formatCountOf(missed, 'other was', 'others were')} dropped: at most ${most} are kept, and only ` +
      'the newest of what comes too fast.'
    );
  },
};

/** What the handler of one job printed. */
export const jobPrintedText = {
  tab: 'Printed',
  notRead: 'Could not read what was printed',
  none: 'Nothing was printed, or it is no longer kept.',
  /** Above the lines: how many there are. */
  count: (lines: number): string => formatCountOf(lines, 'line'),
  /** What is kept, below the lines. */
  kept:
    'The first and last 64 KB are saved with the job. Lines that belong to no single job, such as those of threads ' +
    'and other programs, are in the sandbox’s printed output.',
};

/** The user's own handlers, in the card of the endpoints. */
export const handlersText = {
  add: 'Add handler',
  adding: 'Adding…',
  none: 'Serve a handler of your own: a Python, JavaScript or TypeScript file.',
  restarts: 'The sandbox starts again when handlers change. Running jobs run again.',
  trusted: 'A handler runs with your rights on this computer.',
  remove: (endpointId: string): string => `Remove handler ${endpointId}`,
};
