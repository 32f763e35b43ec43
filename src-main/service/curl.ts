import type { AuthorizationForm } from '../../src-preload/connection.ts';
import type { SubmitOperation } from '../../src-preload/job.ts';
import { addressOf } from './address.ts';
import { buildSubmissionBody, type S3Config, type SubmissionParts } from './submission-body.ts';
import { podIncludes, type PodInclude } from '../../src-preload/pod.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';

/** What a command is made of. Without the s3 secret, for which the command names a variable. */
export interface CurlParts extends Omit<SubmissionParts, 's3Config'> {
  baseUrl: string;
  endpointId: string;
  authorization: AuthorizationForm;
  s3Config?: Omit<S3Config, 'accessSecret'> | null;
}

/** Linux allows 128 KiB in one argument. Longer bodies use a here-document. */
const maxArgumentBytes = 100_000;

/** Marks the place of the secret until the body is quoted. No user enters such a text. */
const secretMark = '\u0001jobdeck-s3-secret\u0001';

/**
 * A curl command for a submission, for any POSIX shell. The key is written as $JOBDECK_KEY and an s3 secret as
 * $JOBDECK_S3_SECRET; neither is known here. The body's text is the one that would be sent.
 */
export function curlForSubmission(parts: CurlParts): string {
  const body = markedBody(parts);
  const lines = [
    `curl -X POST ${quoted(submissionAddress(parts))}`,
    `-H "authorization: ${parts.authorization === 'bearer' ? 'Bearer ' : ''}$JOBDECK_KEY"`,
    "-H 'content-type: application/json'",
  ];
  const isLong = Buffer.byteLength(body) > maxArgumentBytes;
  const data = isLong
    ? `--data-binary @- <<${endMark(body)}\n${inHereDocument(body)}\n${endMark(body)}`
    : `--data-binary ${quotedBody(body)}`;
  return [...lines, data].join(' \\\n  ');
}

/** The address of a submission. */
export function submissionAddress(parts: CurlParts): string {
  const url = addressOf(
    parts.baseUrl,
    ['v2', parts.endpointId, parts.operation],
    queryOf(parts.operation, parts.waitMs ?? null),
  );
  return url.ok ? url.value.href : parts.baseUrl;
}

/** The body of a submission, cut at the places of an s3 secret, which are within JSON strings. */
export function submissionBody(parts: CurlParts): string[] {
  return markedBody(parts).split(secretInBody);
}

function markedBody(parts: CurlParts): string {
  const s3Config =
    parts.s3Config === undefined || parts.s3Config === null ? null : { ...parts.s3Config, accessSecret: secretMark };
  return buildSubmissionBody({ ...parts, s3Config });
}

function queryOf(operation: SubmitOperation, waitMs: number | null): Record<string, number> {
  return operation === 'runsync' && waitMs !== null ? { wait: waitMs } : {};
}

/** In single quotes only the single quote is special. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The mark in the JSON of the body. */
const secretInBody = JSON.stringify(secretMark).slice(1, -1);

function quotedBody(body: string): string {
  return body.split(secretInBody).map(quoted).join('"$JOBDECK_S3_SECRET"');
}

/** An unquoted here-document, so that the variable is filled in. Everything else that is special there is escaped. */
function inHereDocument(body: string): string {
  return body
    .split(secretInBody)
    .map((part) => part.replace(/[\\$`]/g, '\\$&'))
    .join('$JOBDECK_S3_SECRET');
}

/** A word that is not a line of the body. */
function endMark(body: string): string {
  let mark = 'JOBDECK_BODY';
  while (body.includes(mark)) mark += '_';
  return mark;
}

/**
 * A curl command that reads the pod, for any POSIX shell. The key is written as $JOBDECK_KEY; always Bearer (ruling 4).
 * Returns a sentence if the id or address cannot be in one.
 */
export function curlForPod(restUrl: string, podId: string, include: readonly PodInclude[]): Result<string, string> {
  const query = Object.fromEntries(podIncludes.filter((flag) => include.includes(flag)).map((flag) => [flag, 'true']));
  const url = addressOf(restUrl, ['v1', 'pods', podId], query);
  if (!url.ok) return failed(url.failure);
  return ok(
    [
      `curl '${url.value.href.replaceAll("'", '%27')}'`,
      '-H "authorization: Bearer $JOBDECK_KEY"',
      "-H 'accept: application/json'",
    ].join(' \\\n  '),
  );
}
