import { create } from 'zustand';
import type { Job } from '../../src-preload/job.ts';

/**
 * Up to this many jobs are sent without a question. One page of the list has more, so a few that were chosen one by one
 * need none.
 */
export const mostUnasked = 10;

/** Jobs of one endpoint among those that are to be sent again. */
export interface AskedEndpoint {
  connectionId: string;
  endpointId: string;
  operation: Job['operation'];
  jobs: number;
}

/** What the user is asked before many jobs are sent again. */
export interface BulkQuestion {
  action: 'retry' | 'resubmit';
  endpoints: readonly AskedEndpoint[];
  /** Called once with the answer. */
  answer: (isWanted: boolean) => void;
}

export const useBulkQuestion = create<{ question: BulkQuestion | null }>(() => ({ question: null }));

/** Runs `send`, which sends these jobs again. If they are many, the user is asked first, and it may never run. */
export async function askIfMany(
  action: BulkQuestion['action'],
  endpoints: readonly AskedEndpoint[],
  send: () => Promise<void>,
): Promise<void> {
  if (jobsIn(endpoints) > mostUnasked && !(await isWanted(action, endpoints))) return;
  await send();
}

/** How many jobs there are at all endpoints. */
export function jobsIn(endpoints: readonly AskedEndpoint[]): number {
  return endpoints.reduce((sum, { jobs }) => sum + jobs, 0);
}

function isWanted(action: BulkQuestion['action'], endpoints: readonly AskedEndpoint[]): Promise<boolean> {
  // A question that was not answered is replaced: nothing of it is sent.
  useBulkQuestion.getState().question?.answer(false);
  return new Promise((resolve) => {
    const answer = (wanted: boolean): void => {
      if (useBulkQuestion.getState().question?.answer === answer) useBulkQuestion.setState({ question: null });
      resolve(wanted);
    };
    useBulkQuestion.setState({ question: { action, endpoints, answer } });
  });
}

/** How many of the jobs are at each endpoint, the most first. Pure. */
export function endpointsOf(jobs: readonly Job[]): AskedEndpoint[] {
  const found = new Map<string, AskedEndpoint>();
  for (const { connectionId, endpointId, operation } of jobs) {
    const name = JSON.stringify([connectionId, endpointId, operation]);
    const known = found.get(name);
    if (known === undefined) found.set(name, { connectionId, endpointId, operation, jobs: 1 });
    else known.jobs += 1;
  }
  return [...found.values()].toSorted((one, other) => other.jobs - one.jobs);
}
