import { emptyFilter } from '../../../src-preload/history.ts';
import type { History } from '../../history/history.ts';
import type { Ledger } from '../ledger.ts';

/** What a webhook call says of a job that nobody here knows by its id. */
export interface Sighting {
  jobId: string;
  /** JSON text of the input that the call repeats; null where it does not. */
  inputJson: string | null;
}

export interface SightingsParts {
  history: Pick<History, 'list' | 'get' | 'knowsJobId'>;
  ledger: Pick<Ledger, 'change'>;
}

/** Only the newest unknown outcomes are compared: older ones have left the service with their results. */
const mostCompared = 100;

/**
 * Finds the submission whose outcome is unknown and whose input a call repeats, and notes the id on it: it probably
 * arrived. Nothing is followed by that alone (ruling 25): the user decides. Of several with one input the oldest is
 * meant; which one it was, nobody can tell, nor does it matter. Answers whether the job is known now, or was before.
 */
export function createSightings({ history, ledger }: SightingsParts): (sighting: Sighting) => Promise<'known' | 'stray'> {
  return async ({ jobId, inputJson }) => {
    if (await history.knowsJobId(jobId)) return 'known';
    if (inputJson === null) return 'stray';
    const wanted = canonical(inputJson);
    const page = await history.list({ ...emptyFilter, statuses: ['outcome_unknown'] }, null, mostCompared);
    for (const job of page.jobs.toReversed()) {
      if (job.jobId !== null) continue;
      const stored = await history.get(job.key);
      if (stored === null || canonical(stored.submission.inputText) !== wanted) continue;
      await ledger.change(job.key, [{ kind: 'sighted', jobId }]);
      return 'known';
    }
    return 'stray';
  };
}

/** The same text for values that differ in the order of keys and in spaces only. */
function canonical(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), (_key, value: unknown) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value));
  } catch {
    return json;
  }
}
