import { isFinished, isLive, type Job } from '../../src-preload/job.ts';
import type { OutcomeEvidence } from './submission/outcome-evidence.ts';
import type { Batches } from './submission/batches.ts';
import type { JobContext } from './context/job-context.ts';
import type { Forecasts } from './forecast/forecasts.ts';
import type { WebhookCalls } from './webhook-calls/webhook-calls.ts';
import type { EndedJobReads } from './polling/ended-job-reads.ts';
import type { UnresolvedCounts } from './store/unresolved-counts.ts';
import { isEnd, type LedgerChange } from './store/ledger.ts';
import type { StreamReader } from './stream/stream-reader.ts';
import type { Subscriptions } from './stream/subscriptions.ts';

export interface CommittedParts {
  unresolvedCounts: UnresolvedCounts;
  streams: StreamReader;
  forecasts: Forecasts;
  batches: Batches;
  outcomeEvidence: OutcomeEvidence;
  webhookCalls: WebhookCalls;
  subscriptions: Subscriptions;
  endedJobReads: EndedJobReads;
  onJobsChanged: (jobs: Job[]) => void;
  onJobEnded: (job: Job) => void;
}

/** Reports what is on disk, in this order: the windows first, an end last. */
export function createCommitted(
  { pollingStates, events }: JobContext,
  parts: CommittedParts,
): (changes: LedgerChange[]) => void {
  const { unresolvedCounts, streams, forecasts, batches, outcomeEvidence, subscriptions, webhookCalls } = parts;
  const { endedJobReads } = parts;

  function noteOne(change: LedgerChange): void {
    const { before, after } = change;
    webhookCalls.committed(before, after);
    if (before !== null && before.attempt !== after.attempt) subscriptions.began(after.key, after.attempt);
    if (isFinished(after) && (before === null || !isFinished(before)))
      subscriptions.ended(after.key, after.attempt, after.status);
    if (isEnd(change)) parts.onJobEnded(after);
  }

  return (changes) => {
    unresolvedCounts.note(changes);
    const latest = new Map<string, Job>();
    for (const { after } of changes) {
      latest.set(after.key, after);
      if (isLive(after)) continue;
      streams.release(after);
      pollingStates.forget(after.key);
      forecasts.forget(after.key);
    }
    parts.onJobsChanged([...latest.values()]);
    batches.noteChanges(changes);
    outcomeEvidence.committed(changes);
    endedJobReads.note(changes);
    for (const change of changes) noteOne(change);
    events.emit('plan-outdated', null);
  };
}
