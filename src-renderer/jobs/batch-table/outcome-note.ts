import { isLive, statusKind, statusWord, type Job, type StatusKind } from '../../../src-preload/job.ts';
import { reasonText } from '../../../src-preload/messages/job-reason.ts';
import { batchTableText } from '../../messages/jobs/batch-table.ts';
import type { BatchRow } from './batch-columns.ts';

/** What is shown of a row instead of an output. `kind`: the hue of its words; null for those that report no state. */
export interface OutcomeNote {
  kind: StatusKind | null;
  text: string;
}

/** Why a row has no output. Null if it has one, or may still get one. */
export function outcomeNote({ job, cells }: BatchRow): OutcomeNote | null {
  if (cells !== null && cells.output.size > 0) return null;
  if (isLive(job)) return null;
  const kind = statusKind(job);
  if (kind !== 'done') return { kind, text: problemOf(job, cells?.error ?? null) };
  if (cells === null) return null;
  return {
    kind: null,
    text: job.outputForgottenAtMs === undefined ? batchTableText.noOutput : batchTableText.outputDeleted,
  };
}

/** In one line: the words of the service, or else what Jobdeck knows. */
function problemOf(job: Job, error: string | null): string {
  const said = job.reason === null ? error : reasonText(job.reason);
  return (said ?? statusWord(job)).replaceAll(/\s+/g, ' ');
}
