import { parseJson } from '../../src-preload/json-spans.ts';
import { isJobId } from '../../src-preload/job-bounds.ts';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * What a webhook call is taken for: a hint that a job may have ended (ruling 25). Nothing else in the payload is
 * trusted.
 */
export interface WebhookHint {
  jobId: string;
  /** The submission whose own path the call came by; null where it came by the general one, which names none. */
  jobKey: string | null;
}

/** The id of the job that the body of a call is about. Null: it names none. */
export function jobIdIn(body: string): string | null {
  const payload = parseJson(body);
  if (typeof payload !== 'object' || payload === null || !('id' in payload)) return null;
  const { id } = payload;
  return typeof id === 'string' && isJobId(id) ? id : null;
}

/** What the paths of a receiver are made of. */
export interface CallbackPaths {
  /** The general path: without it a caller cannot even hint. */
  token: string;
  /** What submissions' own paths are made with; never sent, so that knowing one path does not allow to make another. */
  secret: string;
}

/** What a call's path names: the receiver, or one submission exactly (ruling 25). */
export type Called = { kind: 'general' } | { kind: 'submission'; jobKey: string };

/** A new random token and secret for the receiver's addresses. */
export function newPaths(): CallbackPaths {
  return { token: randomBytes(18).toString('base64url'), secret: randomBytes(32).toString('base64url') };
}

/** The path that only the receiver of this submission can know: the job's key, and the proof that we gave it. */
function ownPath({ secret }: Pick<CallbackPaths, 'secret'>, jobKey: string): string {
  return `/${jobKey}/${proofOf(secret, jobKey)}`;
}

/**
 * Which submission a path names, or that it is the general one; null where it is none of ours. Takes as long for a
 * wrong secret as for another one.
 */
export function calledBy(path: string, { token, secret }: CallbackPaths): Called | null {
  const [jobKey, proof] = /^\/([\w-]{1,64})\/([\w-]+)$/.exec(path)?.slice(1) ?? [];
  if (jobKey !== undefined && proof !== undefined)
    return isSame(proof, proofOf(secret, jobKey)) ? { kind: 'submission', jobKey } : null;
  return isSame(path, `/${token}`) ? { kind: 'general' } : null;
}

/**
 * The address to send with a submission: where `webhook` is the receiver's general one, by whatever host or tunnel, its
 * own path instead; any other is answered as it is.
 */
export function withOwnPath(webhook: string, paths: CallbackPaths, jobKey: string): string {
  if (!URL.canParse(webhook)) return webhook;
  const url = new URL(webhook);
  if (!url.pathname.endsWith(`/${paths.token}`)) return webhook;
  url.pathname = `${url.pathname.slice(0, -paths.token.length - 1)}${ownPath(paths, jobKey)}`;
  return url.href;
}

function proofOf(secret: string, jobKey: string): string {
  return createHmac('sha256', secret).update(jobKey).digest('base64url');
}

function isSame(given: string, expected: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(expected);
  return left.length === right.length && timingSafeEqual(left, right);
}
