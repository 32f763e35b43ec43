import type { JobCommit, NewChunk } from '../../../src-main/history/records.ts';
import type { Job } from '../../../src-preload/job.ts';

/** The jobs of the history bench: those of a busy user over a year, each with an output of two kilobytes. */

const errorText = 'Total pixels must be between 589824 and 2073600.';
/** When the first of them was created. The others follow, one a second. */
export const firstAtMs = 1_700_000_000_000;
/** The number of words in an output: about two thousand characters. */
const outputWords = 290;

// Words with the frequencies of a language: a few are in nearly every text, most are rare.
const syllables = [
  'ka',
  'ro',
  'mi',
  'ten',
  'sol',
  'va',
  'ler',
  'pu',
  'dan',
  'che',
  'fi',
  'gor',
  'hu',
  'ja',
  'wen',
  'xi',
];
const vocabulary = 20_000;

/** A word by its rank, the most common first. */
export function word(rank: number): string {
  let text = '';
  for (let left = rank + 17; left > 0; left = Math.floor(left / syllables.length))
    text += syllables[left % syllables.length] ?? '';
  return text;
}

let seed = 42;
function random(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}

function prose(words: number): string {
  return Array.from({ length: words }, () => word(Math.floor(vocabulary ** random()) - 1)).join(' ');
}

/** The service's id of a job. */
export function id(number: number): string {
  const hex = (Math.imul(number + 1, 2_654_435_761) >>> 0).toString(16).padStart(8, '0');
  return `${hex}-${hex.slice(2, 6)}-49db-${hex.slice(4)}-${hex}${hex.slice(0, 4)}-u1`;
}

/** Most run about a second, one in two hundred half a minute, and those of one bad day ten minutes. */
function runMs(number: number): number {
  if (number % 200 === 0) return 30_000 + (number % 1_000);
  return number > 50_000 && number < 80_000 ? 600_000 : 900 + (number % 97);
}

/** The first commit of a job that is over, or still runs. */
export function change(number: number, phase: Job['phase'] = 'finished', words = outputWords): JobCommit {
  const isFailed = number % 20 === 0;
  const createdAtMs = firstAtMs + number * 1_000;
  const output = JSON.stringify({ text: prose(words), tokens: number % 512 });
  const inputText = JSON.stringify({ prompt: number === 0 ? 'firstofall' : prose(20), seed: number });
  const endpointId = ['text', 'image', 'echo', 'mock'][number % 4] ?? 'text';
  const job: Job = {
    key: createdAtMs.toString(36).padStart(9, '0'),
    jobId: id(number),
    connectionId: number % 10 === 0 ? 'c2' : 'c1',
    baseUrl: 'http://127.0.0.1:1',
    endpointId,
    operation: 'run',
    title: prose(4),
    tags: number % 7 === 0 ? ['eval'] : [],
    phase,
    status: phase === 'active' ? 'IN_PROGRESS' : isFailed ? 'FAILED' : 'COMPLETED',
    goneReason: null,
    attempt: 1,
    createdAtMs,
    acceptedAtMs: createdAtMs,
    startedSeenAtMs: createdAtMs,
    finishedSeenAtMs: phase === 'active' ? null : createdAtMs + 5_000,
    delayTimeMs: number % 50_000,
    executionTimeMs: runMs(number),
    policy: {},
    ttlEndsAtMs: null,
    retentionEndsAtMs: null,
    inputBytes: inputText.length,
    outputBytes: output.length,
    isResultSaved: true,
    isWithoutOutput: false,
    chunkCount: 0,
    reason: isFailed ? { kind: 'failed', said: errorText } : null,
    statusReadAtMs: createdAtMs,
    requestCount: 0,
    isStarred: number % 1000 === 0,
    isSeen: !isFailed,
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
      delayTimeMs: 120,
      executionTimeMs: runMs(number),
      workerId: `w${number % 50}`,
      errorText: isFailed ? errorText : null,
      hasOutput: true,
      outputBytes: output.length,
      chunkCount: 0,
      finishedSeenAtMs: job.finishedSeenAtMs,
    },
    bodies: [{ part: 'output', attempt: 1, text: output }],
  };
}

/** One streamed chunk. */
export function chunkOf(number: number): NewChunk {
  return {
    outputJson: JSON.stringify({ input_tokens: 12, output_tokens: number, text: [` ${word(number % 5_000)}`] }),
    metricsJson: JSON.stringify({
      avg_gen_throughput: 31.5,
      cpu_kv_cache_usage: 0,
      gpu_kv_cache_usage: 0.01,
      running: 1,
      scenario: 'stream',
      stream_index: number,
    }),
  };
}
