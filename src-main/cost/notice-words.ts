import type { Notice } from '../../src-preload/app.ts';
import type { Overrun } from './overrun.ts';

/** Credits as sentences have them: two decimals, more where the amount is small. */
function creditWords(credits: number): string {
  const digits = credits >= 0.995 || credits === 0 ? 2 : 4;
  return credits.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: digits });
}

/** The notice of an overrun; its id makes it one for each job or day. */
export function overrunNotice(
  overrun: Overrun,
  of: { name: string; endpointName: string; day: string },
): Omit<Notice, 'atMs'> {
  const common = { tone: 'warning', path: null } as const;
  switch (overrun.kind) {
    case 'job':
      return {
        ...common,
        id: `cost:job:${overrun.key}`,
        title: `${overrun.title} passed its cost limit`,
        text:
          `About ${creditWords(overrun.credits)} credits${overrun.isRunning ? ' so far' : ''}; the limit for a ` +
          (`job on ${of.endpointName} is ${creditWords(overrun.limit)}.` +
            (overrun.isRunning ? ' It goes on running; cancel it if that is not wanted.' : '')),
      };
    case 'more-jobs':
      return {
        ...common,
        id: `cost:jobs:${of.name}:${of.day}`,
        title: `More jobs on ${of.endpointName} pass the cost limit`,
        text:
          `The limit is ${creditWords(overrun.limit)} credits for a job. They are not told one by one any more ` +
          `today; each job's Metrics show its cost.`,
      };
    case 'day':
      return {
        ...common,
        id: `cost:day:${of.name}:${of.day}`,
        title: `${of.endpointName} passed its cost limit for today`,
        text:
          `About ${creditWords(overrun.credits)} credits today; the limit is ${creditWords(overrun.limit)}. ` +
          'Nothing is stopped by it.',
      };
  }
}
