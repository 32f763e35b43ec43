import { isObject, refuse, type Checked } from '../checked.ts';
import { jsonProblem } from '../http/request-body.ts';
import { EXECUTION_TIMEOUT_MS, STREAM_WAIT_MS, TTL_MS, WAIT_MS } from '../specification.ts';

/** What the service itself reads of a submission. Everything else goes to the handler in `text`. */
export interface Submission {
  /** The whole body as received: unknown fields are kept, and the input is parsed by the worker. */
  text: string;
  webhook: string | null;
  executionTimeoutMs: number;
  ttlMs: number;
  isLowPriority: boolean;
}

interface Bounds {
  min: number;
  max: number;
  default: number;
}

const S3_FIELDS = ['accessId', 'accessSecret', 'bucketName', 'endpointUrl'] as const;

function isWebAddress(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const url = URL.parse(value);
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
}

function checkMilliseconds(name: string, value: unknown, bounds: Bounds): Checked<number> {
  if (value === undefined) return { ok: true, value: bounds.default };
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return refuse(`${name} must be an integer in milliseconds.`);
  }
  if (value < bounds.min || value > bounds.max) {
    return refuse(`${name} must be between ${bounds.min} and ${bounds.max} milliseconds.`);
  }
  return { ok: true, value };
}

function checkS3Config(value: unknown): string | null {
  if (value === undefined) return null;
  if (!isObject(value)) return 's3Config must be an object.';
  for (const field of S3_FIELDS) {
    const entry = value[field];
    if (entry !== undefined && typeof entry !== 'string') return `s3Config.${field} must be a string.`;
  }
  const { endpointUrl } = value;
  if (endpointUrl !== undefined && !isWebAddress(endpointUrl))
    return 's3Config.endpointUrl must be an http or https URL.';
  return null;
}

/**
 * Reads the body of run and runsync. Spec: Job submission body, policy object, s3Config object; ruling 17 (an empty
 * input is allowed), 18 (executionTimeout may exceed ttl).
 */
export function checkSubmission(text: string): Checked<Submission> {
  if (text.trim() === '') return refuse('The body is empty: it must be a JSON object with the key input.');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    return refuse(`The body is not valid JSON: ${jsonProblem(error)}.`);
  }
  if (!isObject(body)) return refuse('The body must be a JSON object.');
  if (!Object.hasOwn(body, 'input')) return refuse('The body must carry the key input.');
  if (!isObject(body['input'])) return refuse('input must be an object.');

  const { webhook, policy = {} } = body;
  if (webhook !== undefined && !isWebAddress(webhook)) return refuse('webhook must be an http or https URL.');
  const s3Problem = checkS3Config(body['s3Config']);
  if (s3Problem !== null) return refuse(s3Problem);

  if (!isObject(policy)) return refuse('policy must be an object.');
  const executionTimeout = checkMilliseconds(
    'policy.executionTimeout',
    policy['executionTimeout'],
    EXECUTION_TIMEOUT_MS,
  );
  if (!executionTimeout.ok) return executionTimeout;
  const ttl = checkMilliseconds('policy.ttl', policy['ttl'], TTL_MS);
  if (!ttl.ok) return ttl;
  const { lowPriority = false } = policy;
  if (typeof lowPriority !== 'boolean') return refuse('policy.lowPriority must be true or false.');

  return {
    ok: true,
    value: {
      text,
      webhook: webhook ?? null,
      executionTimeoutMs: executionTimeout.value,
      ttlMs: ttl.value,
      isLowPriority: lowPriority,
    },
  };
}

/** `given`: all values of a query parameter. */
function checkQueryMilliseconds<T>(
  name: string,
  given: readonly string[],
  bounds: Bounds,
  leftOut: T,
): Checked<number | T> {
  const [raw, ...more] = given;
  if (raw === undefined) return { ok: true, value: leftOut };
  if (more.length > 0) return refuse(`${name} must be given once only.`);
  if (!/^\d{1,15}$/.test(raw)) return refuse(`${name} must be an integer in milliseconds.`);
  return checkMilliseconds(name, Number(raw), bounds);
}

/** `runsync?wait=`: 1000 to 300000 ms, 90000 by default (spec: Limits). */
export function checkWait(given: readonly string[]): Checked<number> {
  return checkQueryMilliseconds('wait', given, WAIT_MS, WAIT_MS.default);
}

/** `status?ttl=`: null if absent, otherwise within the bounds of policy.ttl (ruling 19). */
export function checkTtl(given: readonly string[]): Checked<number | null> {
  return checkQueryMilliseconds('ttl', given, TTL_MS, null);
}

/** `stream?wait=` of the observed dialect: up to 300000 ms, 10 s by default (field notes: Stream). */
export function checkStreamWait(given: readonly string[]): Checked<number> {
  return checkQueryMilliseconds('wait', given, STREAM_WAIT_MS, STREAM_WAIT_MS.default);
}
