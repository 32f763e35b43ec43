import { formatCount } from '../../../src-preload/format.ts';
import type { SubmitOperation } from '../../../src-preload/job.ts';

/** Why a request was not sent. */
export const notSentText = {
  noKey: 'No key saved for this connection. Enter one in its settings.',
  noKeyYet: 'No key saved for this connection. Add one in Settings; your text stays.',
  badKey: 'This connection’s key has a line break or a character that cannot be sent. Enter it again.',
  couldNotReadKey: 'Could not read this connection’s key from its storage.',
  /** `jobUrl` is where the job was sent to. */
  otherAddress: (jobUrl: string, url: string): string =>
    `This job was sent to ${jobUrl}. Its connection now points to ${url}, and the key is not sent anywhere else.`,
  sandboxStopped: 'The sandbox is not running, so nothing was sent. Start it to continue.',
  sandboxStoppedForPods: 'The sandbox is not running, so nothing was sent. Start it to read pods and templates.',
};

/** How many requests may be sent. */
export const rateText = {
  heldAfter429: (operation: string): string => `The service answered 429 to ${operation}; waiting before the next try`,
  slowedAfter429: (factor: number): string => `Slowed to ${Math.round(factor * 100)} % of its share after a 429`,
  managementHeld: (retryAfterMs: number): string => `The service answered 429; ${nextOne(retryAfterMs)}`,
  managementSpent: (perMinute: number, retryAfterMs: number): string =>
    `Jobdeck sends at most ${perMinute} management requests per minute; ${nextOne(retryAfterMs)}`,
};

function nextOne(retryAfterMs: number): string {
  return `next one possible in ${Math.ceil(retryAfterMs / 1_000)} s. Nothing was sent.`;
}

export const connectionRemovedText = 'This connection was removed during the request, so its reply was discarded.';

/** The code of a request that another language does not have. */
export const requestCodeText = {
  notInLanguage: (request: string): string => `There is no ${request} in this language.`,
};

/** Names of durations, which begin a sentence of `durationText`. */
export const durationNames = {
  executionTimeout: 'The execution timeout',
  ttl: 'The time to live (ttl)',
  ttlOfStatus: 'The ttl',
  waitOfRunsync: 'The wait of runsync',
};

/** Why a duration cannot be sent. */
export const durationText = {
  notWhole: (name: string): string => `${name} is a whole number of milliseconds.`,
  outside: (name: string, ms: number, minMs: number): string =>
    `${name} is from ${minMs / 1_000} s to 7 days; ${formatCount(ms)} ms is not.`,
  outsideBounds: (name: string, ms: number, { minMs, maxMs }: { minMs: number; maxMs: number }): string =>
    `${name} is a whole number of milliseconds from ${minMs} to ${maxMs}; ${ms} is not.`,
};

/** Why a submission cannot be sent. */
export const submissionText = {
  notJson: (line: number, column: number, reason: string): string => `Line ${line}, column ${column}: ${reason}`,
  halfCharacter: (line: number, column: number): string =>
    `Line ${line}, column ${column}: here is half of a character, which cannot be sent. Delete it or enter it again.`,
  notObject: (value: unknown): string =>
    `The input must be an object, such as {"prompt": "…"}; this is ${jsonKind(value)}.`,
  lowPriority: 'Low priority is true or false.',
  webhook: 'The webhook is an address that must start with http:// or https://.',
  onlyRunsyncWaits: 'Only runsync waits; run returns immediately.',
  wait: 'The wait is from 1 s to 5 min.',
  s3Endpoint: 'The S3 endpoint is an address that must start with http:// or https://.',
  /** `fitsRunsync`: the body is small enough for runsync. */
  tooLarge: (operation: SubmitOperation, bytes: number, limitBytes: number, fitsRunsync: boolean): string => {
    const limit = (limitBytes / 1_000_000).toFixed(1);
    const shown = (bytes / 1_000_000).toFixed(1);
    // Just over the limit, rounding would read "10.0 MB; run accepts at most 10 MB".
    const size = shown === limit ? `${formatCount(bytes)} bytes` : `${shown} MB`;
    const way = fitsRunsync ? 'Send it with runsync, which accepts up to 20 MB, or' : 'Make it smaller, or';
    return (
      `The body is ${size}; ${operation} accepts at most ${limitBytes / 1_000_000} MB. Nothing was sent. ${way} put ` +
      'large data where the worker can download it and send the address.'
    );
  },
};

function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'null';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}
