import type { Job } from '../../../src-preload/job.ts';
import type { JobContext } from '../context/job-context.ts';

/**
 * At a start: submissions whose one request was under way when the former run ended, among the `live` jobs it left. The
 * service may have them, so each is an unknown outcome from now on, and is never sent again by itself (ruling 9).
 * Answers them.
 */
export async function endUnanswered({ ledger }: JobContext, live: readonly Job[]): Promise<Job[]> {
  const unanswered = live.filter(({ phase }) => phase === 'submitting');
  for (const { key } of unanswered)
    await ledger.change(key, [{ kind: 'outcome-unknown', why: { kind: 'ended' }, rawReply: null }]);
  return unanswered;
}
