import { failed, ok, type LocalFailure, type Result, type ServiceFailure } from '../../src-preload/failure.ts';
import { checkJson, positionOf } from '../../src-preload/json-check.ts';
import type { Policy, SubmitOperation } from '../../src-preload/job.ts';
import { waitBounds, payloadLimitBytes, policyBounds } from '../../src-preload/job-bounds.ts';
import { isJsonObject } from '../../src-preload/json-spans.ts';
import { isHttpUrl } from '../../src-preload/url.ts';
import { durationNames, durationText, submissionText } from '../messages/service/requests.ts';

/** spec: s3Config object. Which fields are required is not specified, so all may be left out. */
export interface S3Config {
  accessId?: string;
  accessSecret?: string;
  bucketName?: string;
  endpointUrl?: string;
}

/** What a submission is made of. `inputText` is JSON as entered. */
export interface SubmissionParts {
  operation: SubmitOperation;
  inputText: string;
  /** Only for runsync. Milliseconds. */
  waitMs?: number | null;
  policy?: Policy;
  webhook?: string | null;
  s3Config?: S3Config | null;
}

export interface CheckedSubmission {
  /** The exact text to send. Contains the s3 secret, if there is one: only for the request. */
  body: string;
  /** UTF-8 bytes of `body`. */
  bodyBytes: number;
}

/**
 * The request body (spec: Job submission body) with the input's text unchanged, so that large numbers, key order and
 * spacing reach the worker as entered. Empty parts are left out. Takes an input that is JSON; does not check it.
 */
export function buildSubmissionBody(parts: Omit<SubmissionParts, 'operation' | 'waitMs'>): string {
  const members = [`"input":${parts.inputText}`];
  const webhook = parts.webhook?.trim() ?? '';
  if (webhook !== '') members.push(`"webhook":${JSON.stringify(webhook)}`);
  const policy = definedOf(parts.policy ?? {});
  if (Object.keys(policy).length > 0) members.push(`"policy":${JSON.stringify(policy)}`);
  const s3Config = Object.fromEntries(
    Object.entries(definedOf(parts.s3Config ?? {})).filter(([, value]) => value !== ''),
  );
  if (Object.keys(s3Config).length > 0) members.push(`"s3Config":${JSON.stringify(s3Config)}`);
  return `{${members.join(',')}}`;
}

/**
 * Checks a submission before it is sent and builds its body. Returns the first problem: a `refused` failure with the
 * field (`inputText`, `policy.ttl`, `policy.executionTimeout`, `webhook`, `waitMs`, `s3Config.endpointUrl`) and for the
 * input its position, or `too-large` (ruling 16).
 */
export function checkSubmission(parts: SubmissionParts): Result<CheckedSubmission> {
  const input = checkInput(parts.inputText);
  if (!input.ok) return input;
  const problem =
    policyProblem(parts.policy ?? {}) ??
    webhookProblem(parts.webhook) ??
    waitProblem(parts) ??
    s3Problem(parts.s3Config);
  if (problem !== null) return failed(problem);
  const body = buildSubmissionBody(parts);
  const bytes = bodyBytes(body);
  const tooLarge = overSize(parts.operation, bytes);
  if (tooLarge !== null) return failed(tooLarge);
  return ok({ body, bodyBytes: bytes });
}

function checkInput(inputText: string): Result<object, LocalFailure> {
  const json = checkJson(inputText);
  if (!json.ok)
    return failed({
      ...refusal('inputText', submissionText.notJson(json.line, json.column, json.reason)),
      position: { line: json.line, column: json.column },
    });
  // A lone surrogate has no UTF-8 form: the worker, and the history, would get another character.
  if (!inputText.isWellFormed()) {
    const position = positionOf(inputText, inputText.search(/\p{Surrogate}/u));
    return failed({
      ...refusal('inputText', submissionText.halfCharacter(position.line, position.column)),
      position,
    });
  }
  const { value } = json;
  if (isJsonObject(value)) return ok(value);
  const position = positionOf(inputText, inputText.length - inputText.trimStart().length);
  return failed({ ...refusal('inputText', submissionText.notObject(value)), position });
}

function policyProblem(policy: Policy): LocalFailure | null {
  return (
    durationProblem(
      'policy.executionTimeout',
      durationNames.executionTimeout,
      policy.executionTimeout,
      policyBounds.executionTimeout,
    ) ??
    durationProblem('policy.ttl', durationNames.ttl, policy.ttl, policyBounds.ttl) ??
    (policy.lowPriority === undefined || typeof policy.lowPriority === 'boolean'
      ? null
      : refusal('policy.lowPriority', submissionText.lowPriority))
  );
}

/** spec: policy object; seven days at most. */
function durationProblem(
  field: string,
  name: string,
  ms: number | undefined,
  { minMs, maxMs }: { minMs: number; maxMs: number },
): LocalFailure | null {
  if (ms === undefined) return null;
  if (!Number.isInteger(ms)) return refusal(field, durationText.notWhole(name));
  return ms >= minMs && ms <= maxMs ? null : refusal(field, durationText.outside(name, ms, minMs));
}

function webhookProblem(webhook: string | null | undefined): LocalFailure | null {
  return webhook === undefined || webhook === null || webhook.trim() === '' || isHttpUrl(webhook)
    ? null
    : refusal('webhook', submissionText.webhook);
}

/** spec: Limits, wait of runsync. */
function waitProblem(parts: SubmissionParts): LocalFailure | null {
  if (parts.waitMs === undefined || parts.waitMs === null) return null;
  if (parts.operation === 'run') return refusal('waitMs', submissionText.onlyRunsyncWaits);
  return Number.isInteger(parts.waitMs) && parts.waitMs >= waitBounds.minMs && parts.waitMs <= waitBounds.maxMs
    ? null
    : refusal('waitMs', submissionText.wait);
}

function s3Problem(s3Config: S3Config | null | undefined): LocalFailure | null {
  const endpointUrl = s3Config?.endpointUrl ?? '';
  return endpointUrl === '' || isHttpUrl(endpointUrl)
    ? null
    : refusal('s3Config.endpointUrl', submissionText.s3Endpoint);
}

function refusal(field: string, message: string): Extract<LocalFailure, { kind: 'refused' }> {
  return { kind: 'refused', field, message };
}

function definedOf(from: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined && value !== null));
}

/** UTF-8 bytes of the body that would be sent. */
export function bodyBytes(body: string): number {
  return Buffer.byteLength(body, 'utf8');
}

/**
 * Null if a body of this size may be sent, otherwise the refusal, with the size in it (ruling 16; MB are millions of
 * bytes, ruling 33). Nothing was sent.
 */
export function overSize(operation: SubmitOperation, bytes: number): ServiceFailure | null {
  const limit = payloadLimitBytes[operation];
  if (bytes < limit) return null;
  const fitsRunsync = operation === 'run' && bytes < payloadLimitBytes.runsync;
  return {
    kind: 'too-large',
    message: submissionText.tooLarge(operation, bytes, limit, fitsRunsync),
    mayHaveArrived: false,
  };
}
