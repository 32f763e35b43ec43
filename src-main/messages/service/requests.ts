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

/** The base URL (queue interface) or the REST URL (management interface). */
type AddressKind = 'base' | 'rest';

const names: Readonly<Record<AddressKind, string>> = { base: 'base URL', rest: 'REST URL' };

/** Addresses and ids of requests. */
export const addressText = {
  invalid: 'This connection’s address is not valid. Check it in its settings.',
  noRestUrl: 'This connection has no REST URL, which pods and templates need. Add one in its settings.',
  emptyId: 'The id is empty.',
  notId: (text: string): string => `"${text}" is not an id.`,
  longId: (max: number): string => `The id has more than ${max} characters.`,
  brokenId: 'The id contains a broken character.',
};

/** Why an address that was entered is not valid. */
export const badAddressText = {
  empty: (kind: AddressKind): string => `The ${names[kind]} is empty.`,
  scheme: (kind: AddressKind): string => `The ${names[kind]} must start with http:// or https://.`,
  notAddress: (kind: AddressKind): string =>
    `The ${names[kind]} is not an address. It looks like https://host or http://host:port.`,
  user: (kind: AddressKind): string =>
    `The ${names[kind]} contains a user or password. Leave it out; the key is entered separately.`,
  query: (kind: AddressKind): string => `The ${names[kind]} contains a query (from the ?). Leave it out.`,
  fragment: (kind: AddressKind): string => `The ${names[kind]} contains a fragment (from the #). Leave it out.`,
};

/** What was changed in an address, a sentence each (ruling 28). */
export const addressNoteText = {
  spaces: 'Removed the spaces around it.',
  slash: 'Removed the slash at the end.',
  operation: (path: string): string => `The operation at the end (${path}) was removed; ids are entered separately.`,
  version: (version: string): string => `/${version} at the end was removed; Jobdeck adds it.`,
  prefix: (prefix: string): string => `${prefix} was put before it.`,
  completed: (scheme: string): string => `It was completed to ${scheme}.`,
  writtenAs: (url: string): string => `It is written as ${url}.`,
};
