import type { ServiceFailureKind } from '../../src-preload/failure.ts';

/** The operations of the service, by the names the specification gives them. */
export type ServiceOperation = 'run' | 'runsync' | 'status' | 'stream' | 'cancel' | 'retry' | 'purge-queue' | 'health' | 'get-pod' | 'update-template';

/** The kind of a reply whose HTTP status is not 2xx (ruling 7). Redirects are not followed and count as refusals. */
export function kindOfStatus(httpStatus: number): ServiceFailureKind {
  switch (httpStatus) {
    case 401:
    case 403:
      return 'unauthorized';
    case 404:
    case 410:
      return 'not-found';
    case 408:
      return 'timeout';
    case 413:
      return 'too-large';
    case 429:
      return 'rate-limited';
    default:
      return httpStatus >= 500 ? 'server' : 'invalid';
  }
}

/** The sentences for a reply that is an error: what happened, and what it means for the job. */
export function wordsForStatus(operation: ServiceOperation, httpStatus: number, retryAfterMs: number | undefined): string {
  const status = `(${httpStatus})`;
  switch (kindOfStatus(httpStatus)) {
    case 'unauthorized':
      return `The service refused this key ${status}. Check the connection's key and what it may be used for. ${refused(operation)}`;
    case 'not-found':
      return `${notFound(operation)} ${status}. ${notFoundMeans(operation)}`;
    case 'too-large':
      return `The service says that the body is too large ${status}. ${refused(operation)}`;
    case 'rate-limited':
      return `The service asks for fewer requests ${status}${retryAfterMs === undefined ? '' : `, the next one in ${seconds(retryAfterMs)}`}. ${refused(operation)}`;
    case 'timeout':
      return `The service stopped waiting for the request ${status}. ${unknown(operation)}`;
    case 'server':
      return `The service answered with an error of its own ${status}. ${unknown(operation)}`;
    default:
      return `The service did not accept the request ${status}. ${refused(operation)}`;
  }
}

/** For a redirect: it is not followed, because the key must not go anywhere but where the user sent it. */
export function wordsForRedirect(operation: ServiceOperation, httpStatus: number, location: string | null): string {
  const target = location === null ? 'elsewhere' : `to ${location}`;
  return `The service redirects ${target} (${httpStatus}). Jobdeck does not follow, because the key would go along. If the new address is right, enter it in the connection. ${refused(operation)}`;
}

/** For a connection that could not be made: nothing arrived. */
export function wordsForUnreached(operation: ServiceOperation, host: string, why: string): string {
  return `Could not connect to ${host}: ${why}. ${nothingSent(operation)}`;
}

/** For a connection that broke after it was made. */
export function wordsForBroken(operation: ServiceOperation, host: string, hasBegun: boolean): string {
  return `The connection to ${host} broke ${hasBegun ? 'while the reply was arriving' : 'before a reply came'}. ${unknown(operation)}`;
}

/** For the deadline of the call. */
export function wordsForTimeout(operation: ServiceOperation, host: string, timeoutMs: number, hasBegun: boolean): string {
  return hasBegun ? `The reply of ${host} began but did not end in time. ${unknown(operation)}` : `${host} did not answer within ${seconds(timeoutMs)}. ${unknown(operation)}`;
}

/** For a call that was aborted from our side. */
export function wordsForCancelled(operation: ServiceOperation, wasSent: boolean): string {
  return wasSent ? `The request was stopped before its reply came. ${unknown(operation)}` : `The request was stopped before it was sent. ${nothingSent(operation)}`;
}

/** For a 2xx reply that cannot be read; `why` ends the sentence "the reply ...". */
export function wordsForMalformed(operation: ServiceOperation, httpStatus: number, why: string): string {
  return `The service answered ${httpStatus}, but the reply ${why}. It is kept as it came. ${unknown(operation)}`;
}

/** When it is certain that the operation did not happen because nothing was sent. */
export function nothingSent(operation: ServiceOperation): string {
  switch (operation) {
    case 'run':
    case 'runsync':
      return 'The job was not sent; it is safe to send it again.';
    default:
      return refused(operation);
  }
}

/** When the service said no. */
function refused(operation: ServiceOperation): string {
  switch (operation) {
    case 'run':
    case 'runsync':
      return 'No job was created.';
    case 'status':
    case 'stream':
      return 'What is saved of the job stays.';
    case 'cancel':
    case 'retry':
      return 'The job is as it was.';
    case 'purge-queue':
      return 'The queue is as it was.';
    case 'update-template':
      return 'The template is as it was.';
    case 'health':
    case 'get-pod':
      return 'Nothing was changed.';
  }
}

/** When it may or may not have happened (ruling 9). */
function unknown(operation: ServiceOperation): string {
  switch (operation) {
    case 'run':
    case 'runsync':
      return 'The job may have been accepted, so sending it again could run it twice.';
    case 'cancel':
      return 'The job may have been cancelled; its next status tells.';
    case 'retry':
      return 'The job may have been queued again; its next status tells.';
    case 'purge-queue':
      return 'The queue may have been purged; the endpoint\'s health tells.';
    case 'update-template':
      return 'The template may have been changed; look at it before updating again.';
    case 'status':
    case 'health':
    case 'get-pod':
      return refused(operation);
    case 'stream':
      return 'Chunks that were on their way may be lost; those saved stay.';
  }
}

function notFound(operation: ServiceOperation): string {
  switch (operation) {
    case 'status':
    case 'stream':
    case 'cancel':
    case 'retry':
      return 'The service does not know this job or its endpoint';
    case 'get-pod':
      return 'The service does not know this pod';
    case 'update-template':
      return 'The service does not know this template';
    default:
      return 'The service does not know this endpoint';
  }
}

function notFoundMeans(operation: ServiceOperation): string {
  switch (operation) {
    case 'run':
    case 'runsync':
      return 'No job was created; check the endpoint\'s id.';
    case 'health':
    case 'purge-queue':
      return 'Check its id and the base URL.';
    case 'get-pod':
    case 'update-template':
      return 'Check its id and the REST URL.';
    case 'status':
    case 'stream':
    case 'cancel':
    case 'retry':
      return 'It may have expired there; what is saved of it stays.';
  }
}

function seconds(ms: number): string {
  return ms >= 120_000 ? `${Math.round(ms / 60_000)} min` : `${ms < 1_000 ? ms / 1_000 : Math.ceil(ms / 1_000)} s`;
}
