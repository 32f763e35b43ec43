import type { ServiceFailureKind } from '../../../src-preload/failure.ts';
import { formatRoundDuration } from '../../../src-preload/format.ts';

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
  absent: ['this endpoint', 'No job was created; check the endpoint’s id.'],
};
const absentJob: Meaning['absent'] = ['this job or its endpoint', 'It may have expired there; saved data stays.'];
const jobAsItWas = 'The job is unchanged.';
const savedStays = 'Saved data of the job stays.';
const nothingChanged = 'Nothing was changed.';

const meanings: Readonly<Record<ServiceOperation, Meaning>> = {
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
    unknown: 'The queue may have been purged; check the endpoint’s health.',
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

/** A reply with an HTTP status other than 2xx. */
export interface ErrorStatus {
  httpStatus: number;
  kind: ServiceFailureKind;
  /** The reply proves that the request was not carried out. */
  isPlainRefusal: boolean;
  retryAfterMs: number | undefined;
}

/** What a request came to, and what that means for the operation. */
export const failureText = {
  /** The operation certainly did not happen, because nothing was sent. */
  notSent: (operation: ServiceOperation): string => meanings[operation].notSent,

  /** The reply is an error. */
  status: (operation: ServiceOperation, { httpStatus, kind, isPlainRefusal, retryAfterMs }: ErrorStatus): string => {
    const { refused, unknown, absent } = meanings[operation];
    switch (kind) {
      case 'unauthorized':
        return `The service refused this key (${httpStatus}). Check the key and its permissions. ${refused}`;
      case 'not-found':
        return `The service does not know ${absent[0]} (${httpStatus}). ${absent[1]}`;
      case 'too-large':
        return `The service says the body is too large (${httpStatus}). ${refused}`;
      case 'rate-limited':
        return (
          `Rate limited (${httpStatus}).${retryAfterMs === undefined ? '' : ` Retry in ${waitText(retryAfterMs)}.`} ` +
          refused
        );
      case 'timeout':
        return `The service stopped waiting for the request (${httpStatus}). ${unknown}`;
      case 'server':
        return `The service returned an error (${httpStatus}). ${unknown}`;
      case 'invalid':
      case 'malformed':
      case 'network':
      case 'cancelled':
        return `The service did not accept the request (${httpStatus}). ${isPlainRefusal ? refused : unknown}`;
    }
  },

  /** The error is a page (HTML): something other than the service wrote it (rulings 34, 35). */
  page: (operation: ServiceOperation, httpStatus: number): string =>
    `A proxy or gateway answered with a web page (${httpStatus}), not the service itself. ` +
    meanings[operation].unknown,

  /** A redirect, which is not followed, because the key must go only where the user sent it. */
  redirect: (operation: ServiceOperation, httpStatus: number, target: string | null): string =>
    `The service redirects ${target === null ? 'elsewhere' : `to ${target}`} (${httpStatus}). Jobdeck does ` +
    'not follow it, because that would send the key there too. If the new address is right, enter it in ' +
    `the connection. ${meanings[operation].unknown}`,

  /** A connection could not be made, so nothing arrived. */
  unreached: (operation: ServiceOperation, host: string, why: string): string =>
    `Could not connect to ${host}: ${why}. ${meanings[operation].notSent}`,

  /** A connection broke after it was made. */
  broken: (operation: ServiceOperation, host: string, hasBegun: boolean): string =>
    `The connection to ${host} broke ${hasBegun ? 'while the reply was arriving' : 'before a reply arrived'}. ` +
    meanings[operation].unknown,

  /** The request exceeded its deadline. */
  timeout: (operation: ServiceOperation, host: string, timeoutMs: number, hasBegun: boolean): string => {
    const what = hasBegun
      ? `The reply from ${host} started but did not finish in time`
      : `${host} did not answer within ${formatRoundDuration(timeoutMs)}`;
    return `${what}. ${meanings[operation].unknown}`;
  },

  /** Jobdeck cancelled the request. */
  cancelled: (operation: ServiceOperation, wasSent: boolean): string =>
    wasSent
      ? `The request was stopped before its reply arrived. ${meanings[operation].unknown}`
      : `The request was stopped before it was sent. ${meanings[operation].notSent}`,

  /** A 2xx reply cannot be read; `why` ends the sentence "the reply ...". */
  malformed: (operation: ServiceOperation, httpStatus: number, why: string): string =>
    `The service answered ${httpStatus}, but the reply ${why}. The reply is saved as received. ` +
    meanings[operation].unknown,

  /** A 2xx reply is larger or more compressed than is ever read; `why` ends the sentence "the reply ...". */
  beyondLimits: (operation: ServiceOperation, httpStatus: number, why: string): string =>
    `The service answered ${httpStatus}, but the reply ${why}. The beginning of the reply is saved. ` +
    meanings[operation].unknown,
};

/** A wait, rounded up to whole seconds, so that a retry is not too early. */
function waitText(ms: number): string {
  return formatRoundDuration(Math.ceil(ms / 1_000) * 1_000);
}

/** Why a reply cannot be read. Each ends the sentence "the reply ...". */
export const replyText = {
  early: 'came before the request was sent completely, so it may be the answer to an earlier one',
  notObject: 'is not a JSON object',
  notJson: 'is not JSON',
  page: 'is a web page, not JSON',
  empty: 'is empty',
  notRead: 'was not read',
  threadEnded: 'could not be read: the thread for large replies ended',
  tooDeep: 'nests deeper than any pod or template',

  noIdNorStatus: 'has neither an id nor a status',
  noId: 'has no id',
  noStatus: 'has no status',
  unusableId: 'has an id that no address can contain',
  otherJob: (id: string): string => `is about another job (${id})`,
  answeredTwice: (id: string): string => `is that of the request before, about another job (${id})`,
  noChunks: 'is neither an array of chunks nor an object',
  noStream: 'has no stream',
  noHealth: 'has neither jobs nor workers',
  noPurgeCount: 'does not say how many jobs were removed',
  noPodField: 'has no field of a pod',
  noTemplateField: 'has no field of a template',
};

/** Why a reply is not read any further, or not unpacked. Each ends the sentence "the reply ...". */
export const replyBodyText = {
  tooLong: (limitBytes: number): string =>
    `is longer than the ${Math.round(limitBytes / 2 ** 20)} MB that Jobdeck reads`,
  sameBeginning: 'begins like an earlier one that was too large to read',
  tooCompressed: (times: number): string => `expands to more than ${times} times its size`,
  tooManyLayers: (layers: number): string => `is compressed in ${layers} layers, one inside another`,
  unknownCoding: (coding: string): string => `is compressed in a way that Jobdeck cannot read (${coding})`,
  cannotUnpack: 'cannot be unpacked',
};

/** What workers report, as far as Jobdeck replaces it. */
export const workerText = {
  noReason: 'The worker gave no reason.',
  /** After a quote that ends where variables may begin. */
  cut: '… cut here by Jobdeck: variables may follow',
};
