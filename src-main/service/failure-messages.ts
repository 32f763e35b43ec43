import type { ServiceFailureKind } from '../../src-preload/failure.ts';

/** The operations of the service, with the specification's names. */
export type ServiceOperation =
  | 'run'
  | 'runsync'
  | 'status'
  | 'stream'
  | 'cancel'
  | 'retry'
  | 'purge-queue'
  | 'health'
  | 'get-pod'
  | 'update-template';

/** The meaning of a failure for an operation. */
interface Meaning {
  /** Nothing left this machine. */
  notSent: string;
  /** The service refused it. */
  refused: string;
  /** It may or may not have happened (ruling 9). */
  unknown: string;
  /** 404: what is not known, and what that means. */
  absent: [what: string, meaning: string];
}

const submission: Meaning = {
  notSent: 'The job was not sent; it is safe to send it again.',
  refused: 'No job was created.',
  unknown: 'The job may have been accepted.',
  absent: ['this endpoint', "No job was created; check the endpoint's id."],
};
const absentJob: Meaning['absent'] = ['this job or its endpoint', 'It may have expired there; saved data stays.'];
const jobAsItWas = 'The job is unchanged.';
const savedStays = 'Saved data of the job stays.';
const nothingChanged = 'Nothing was changed.';

const meanings: Record<ServiceOperation, Meaning> = {
  run: submission,
  runsync: submission,
  status: { notSent: savedStays, refused: savedStays, unknown: savedStays, absent: absentJob },
  stream: {
    notSent: savedStays,
    refused: savedStays,
    unknown: 'Chunks in this reply may not arrive again. Saved chunks stay, and Jobdeck reads the stream again.',
    absent: absentJob,
  },
  cancel: {
    notSent: jobAsItWas,
    refused: jobAsItWas,
    unknown: 'The job may have been cancelled; its next status will show.',
    absent: absentJob,
  },
  retry: {
    notSent: jobAsItWas,
    refused: jobAsItWas,
    unknown: 'The job may have been queued again; its next status will show.',
    absent: absentJob,
  },
  'purge-queue': {
    notSent: 'The queue is unchanged.',
    refused: 'The queue is unchanged.',
    unknown: "The queue may have been purged; check the endpoint's health.",
    absent: ['this endpoint', 'Check its id and the base URL.'],
  },
  health: {
    notSent: nothingChanged,
    refused: nothingChanged,
    unknown: nothingChanged,
    absent: ['this endpoint', 'Check its id and the base URL.'],
  },
  'get-pod': {
    notSent: nothingChanged,
    refused: nothingChanged,
    unknown: nothingChanged,
    absent: ['this pod', 'Check its id and the REST URL.'],
  },
  'update-template': {
    notSent: 'The template is unchanged.',
    refused: 'The template is unchanged.',
    unknown: 'The template may have changed; check it before updating again.',
    absent: ['this template', 'Check its id and the REST URL.'],
  },
};

const kinds: Record<number, ServiceFailureKind> = {
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'not-found',
  408: 'timeout',
  410: 'not-found',
  413: 'too-large',
  429: 'rate-limited',
};

/** The kind of a reply with an HTTP status other than 2xx (ruling 7). Redirects are not followed. */
export function kindOfStatus(httpStatus: number): ServiceFailureKind {
  return kinds[httpStatus] ?? (httpStatus >= 500 ? 'server' : 'invalid');
}

/**
 * Statuses by which a service itself says that it did nothing (ruling 9). Any other may come from something in front of
 * it.
 */
const plainRefusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 413, 415, 422, 429]);

/** Whether a reply of this status, if it is the service's own, proves that the request was not carried out. */
export function isPlainRefusal(httpStatus: number): boolean {
  return plainRefusals.has(httpStatus);
}

/** For an error that is a page (HTML): something other than the service wrote it (rulings 34, 35). */
export function pageMessage(operation: ServiceOperation, httpStatus: number): string {
  return (
    `A proxy or gateway answered with a web page (${httpStatus}), not the service itself. ` +
    meanings[operation].unknown
  );
}

/** For a reply that is an error: what happened, and what it means. */
export function statusMessage(
  operation: ServiceOperation,
  httpStatus: number,
  retryAfterMs: number | undefined,
): string {
  const { refused, unknown, absent } = meanings[operation];
  const kind = kindOfStatus(httpStatus);
  if (kind === 'unauthorized')
    return `The service refused this key (${httpStatus}). Check the key and its permissions. ${refused}`;
  if (kind === 'not-found') return `The service does not know ${absent[0]} (${httpStatus}). ${absent[1]}`;
  if (kind === 'too-large') return `The service says the body is too large (${httpStatus}). ${refused}`;
  if (kind === 'rate-limited')
    return (
      `Rate limited (${httpStatus}).` +
      `${retryAfterMs === undefined ? '' : ` Retry in ${duration(retryAfterMs)}.`} ${refused}`
    );
  if (kind === 'timeout') return `The service stopped waiting for the request (${httpStatus}). ${unknown}`;
  if (kind === 'server') return `The service returned an error (${httpStatus}). ${unknown}`;
  return `The service did not accept the request (${httpStatus}). ${isPlainRefusal(httpStatus) ? refused : unknown}`;
}

/** For a redirect, which is not followed, because the key must go only where the user sent it. */
export function redirectMessage(operation: ServiceOperation, httpStatus: number, target: string | null): string {
  return (
    `The service redirects ${target === null ? 'elsewhere' : `to ${target}`} (${httpStatus}). Jobdeck does ` +
    'not follow it, because that would send the key there too. If the new address is right, enter it in ' +
    'the connection. ' +
    meanings[operation].unknown
  );
}

/** For a connection that could not be made, so that nothing arrived. */
export function unreachedMessage(operation: ServiceOperation, host: string, why: string): string {
  return `Could not connect to ${host}: ${why}. ${nothingSent(operation)}`;
}

/** For a connection that broke after it was made. */
export function brokenMessage(operation: ServiceOperation, host: string, hasBegun: boolean): string {
  return (
    `The connection to ${host} broke ${hasBegun ? 'while the reply was arriving' : 'before a reply arrived'}. ` +
    meanings[operation].unknown
  );
}

/** For a call that exceeded its deadline. */
export function timeoutMessage(
  operation: ServiceOperation,
  host: string,
  timeoutMs: number,
  hasBegun: boolean,
): string {
  const what = hasBegun
    ? `The reply from ${host} started but did not finish in time`
    : `${host} did not answer within ${duration(timeoutMs)}`;
  return `${what}. ${meanings[operation].unknown}`;
}

/** For a call that we cancelled. */
export function cancelledMessage(operation: ServiceOperation, wasSent: boolean): string {
  return wasSent
    ? `The request was stopped before its reply arrived. ${meanings[operation].unknown}`
    : `The request was stopped before it was sent. ${nothingSent(operation)}`;
}

/** For a 2xx reply that cannot be read; `why` ends the sentence "the reply ...". */
export function malformedMessage(operation: ServiceOperation, httpStatus: number, why: string): string {
  return (
    `The service answered ${httpStatus}, but the reply ${why}. The reply is saved as received. ` +
    meanings[operation].unknown
  );
}

/** For a 2xx reply that is larger or more compressed than is ever read; `why` ends the sentence "the reply ...". */
export function beyondLimitsMessage(operation: ServiceOperation, httpStatus: number, why: string): string {
  return (
    `The service answered ${httpStatus}, but the reply ${why}. The beginning of the reply is saved. ` +
    meanings[operation].unknown
  );
}

/** For an operation that certainly did not happen, because nothing was sent. */
export function nothingSent(operation: ServiceOperation): string {
  return meanings[operation].notSent;
}

function duration(ms: number): string {
  if (ms >= 120_000) return `${Math.round(ms / 60_000)} min`;
  return `${ms < 1_000 ? Math.round(ms) / 1_000 : Math.ceil(ms / 1_000)} s`;
}
