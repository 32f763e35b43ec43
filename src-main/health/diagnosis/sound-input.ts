import type { DiagnosisInput } from './input.ts';

/**
 * The input without times and spans that are no numbers: they come from a network by way of a database, and must not
 * end up in a sentence.
 */
export function soundInput(input: DiagnosisInput): DiagnosisInput {
  const { execution } = input;
  return {
    ...input,
    liveJobs: input.liveJobs
      .filter(
        ({ acceptedAtMs, executionTimeoutMs }) => Number.isFinite(acceptedAtMs) && Number.isFinite(executionTimeoutMs),
      )
      .map((job) =>
        isSound(job.startedSeenAtMs) && isSound(job.ttlEndsAtMs)
          ? job
          : { ...job, startedSeenAtMs: finiteOrNull(job.startedSeenAtMs), ttlEndsAtMs: finiteOrNull(job.ttlEndsAtMs) },
      ),
    recentEnds: input.recentEnds
      .filter(({ endedAtMs, executionTimeoutMs }) => Number.isFinite(endedAtMs) && Number.isFinite(executionTimeoutMs))
      .map((end) => (isSound(end.executionTimeMs) ? end : { ...end, executionTimeMs: null })),
    unsavedResults: input.unsavedResults.filter(
      ({ knownAtMs, leavesAtMs }) => Number.isFinite(knownAtMs) && Number.isFinite(leavesAtMs),
    ),
    execution:
      execution !== null && Number.isFinite(execution.p50Ms) && Number.isFinite(execution.p95Ms) ? execution : null,
  };
}

function isSound(value: number | null): boolean {
  return value === null || Number.isFinite(value);
}

function finiteOrNull(value: number | null): number | null {
  return Number.isFinite(value) ? value : null;
}
