import type { JobCommit } from '../../src-main/history/records.ts';
import { createJobKeys } from '../../src-main/job/reducer/new-job.ts';
import type { Job } from '../../src-preload/job.ts';

const errorText = 'Total pixels must be between 589824 and 2073600.';

export interface SavedJobWanted {
  /** Distinguishes the jobs of one run. Every seventh one failed. */
  number: number;
  connectionId: string;
  baseUrl: string;
  endpointId: string;
  title: string;
  /** How long ago it was sent. */
  ageMs: number;
}

/** A finished job with its input and output, to be committed to a history as if it had run `ageMs` ago. */
export function aSavedJob({ number, connectionId, baseUrl, endpointId, title, ageMs }: SavedJobWanted): JobCommit {
  const createdAtMs = Date.now() - ageMs;
  const isFailed = number % 7 === 3;
  const executionTimeMs = 900 + ((number * 7919) % 40_000);
  const finishedSeenAtMs = createdAtMs + 150 + executionTimeMs;
  const inputText = JSON.stringify({ prompt: title, seed: number });
  const output = JSON.stringify({ verdict: number % 3 === 0 ? 'agrees' : 'differs', seed: number });
  const job: Job = {
    key: keyFor(createdAtMs, number),
    jobId: `${((number * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}-6b7d-4c8f-${String(number).padStart(12, '0')}-u1`,
    connectionId,
    baseUrl,
    endpointId,
    operation: 'run',
    title,
    tags: number % 11 === 0 ? ['nightly', 'rubric v4'] : [],
    phase: 'finished',
    status: isFailed ? 'FAILED' : 'COMPLETED',
    goneReason: null,
    attempt: 1,
    createdAtMs,
    acceptedAtMs: createdAtMs,
    startedSeenAtMs: createdAtMs + 150,
    finishedSeenAtMs,
    delayTimeMs: 150,
    executionTimeMs,
    policy: {},
    ttlEndsAtMs: createdAtMs + 86_400_000,
    retentionEndsAtMs: finishedSeenAtMs + 1_800_000,
    inputBytes: inputText.length,
    outputBytes: isFailed ? 0 : output.length,
    isResultSaved: true,
    isWithoutOutput: false,
    chunkCount: 0,
    reason: isFailed ? { kind: 'failed', said: errorText } : null,
    statusReadAtMs: finishedSeenAtMs,
    requestCount: 4,
    isStarred: number % 97 === 0,
    isSeen: true,
    isCancelling: false,
    batchId: null,
    batchRow: null,
  };
  return {
    job,
    submission: { inputText, policy: {}, webhook: null, waitMs: null, s3ProfileId: null },
    attempt: {
      number: 1,
      startedAtMs: createdAtMs,
      status: job.status,
      delayTimeMs: 150,
      executionTimeMs,
      workerId: `w-${number % 9}`,
      errorText: isFailed ? errorText : null,
      hasOutput: !isFailed,
      outputBytes: job.outputBytes,
      chunkCount: 0,
      finishedSeenAtMs,
    },
    bodies: isFailed ? [] : [{ part: 'output', attempt: 1, text: output }],
  };
}

/** A key that begins with the time as the app's own keys do, so that a job submitted later is listed before it. */
function keyFor(createdAtMs: number, number: number): string {
  const newKey = createJobKeys(
    () => createdAtMs,
    () => 0,
  );
  return newKey().slice(0, 10) + String(number).padStart(16, '0');
}
