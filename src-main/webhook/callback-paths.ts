import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What the paths of a receiver are made of. */
export interface CallbackPaths {
  /** The general path. A caller who does not know it cannot even hint. */
  token: string;
  /** Used to make submissions' own paths. It is never sent, so that one path does not reveal another. */
  secret: string;
}

/** What the path of a call names: the receiver, or exactly one submission (ruling 25). */
export type CallTarget = { kind: 'general' } | { kind: 'submission'; jobKey: string };

/** A new random token and secret for the receiver's addresses. */
export function newCallbackPaths(): CallbackPaths {
  return { token: randomBytes(18).toString('base64url'), secret: randomBytes(32).toString('base64url') };
}

/** The path that only the receiver of this submission can know: the job's key, and a proof that we made it. */
function ownPath({ secret }: Pick<CallbackPaths, 'secret'>, jobKey: string): string {
  return `/${jobKey}/${proofOf(secret, jobKey)}`;
}

/**
 * The submission of a path, or that it is the general one. Null if it is neither. Takes the same time for any wrong
 * secret.
 */
export function callTargetOf(path: string, { token, secret }: CallbackPaths): CallTarget | null {
  const [jobKey, proof] = /^\/([\w-]{1,64})\/([\w-]+)$/.exec(path)?.slice(1) ?? [];
  if (jobKey !== undefined && proof !== undefined)
    return isSame(proof, proofOf(secret, jobKey)) ? { kind: 'submission', jobKey } : null;
  return isSame(path, `/${token}`) ? { kind: 'general' } : null;
}

/**
 * The address to send with a submission. If `webhook` is the receiver's general address, by any host or tunnel, it gets
 * the submission's own path. Any other address is returned unchanged.
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
