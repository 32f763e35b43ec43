import { parseJson } from '../../../src-preload/json-spans.ts';
import type { Attempt, Policy, SubmitOperation } from '../../../src-preload/job.ts';
import type { HeldBackReason } from '../../../src-preload/job-reason.ts';
import type { JobState } from './job-event.ts';

/** What makes a job: the intent, before anything is sent. */
export interface Intent {
  key: string;
  connectionId: string;
  baseUrl: string;
  endpointId: string;
  operation: SubmitOperation;
  title: string;
  tags: string[];
  policy: Policy;
  inputBytes: number;
  /** `submitting`: the request follows at once. `waiting`: it stands in the outbox, `reason` says why. */
  phase: 'submitting' | 'waiting';
  reason: HeldBackReason | null;
  batchId?: string;
  batchRow?: number;
  isKeptWhole?: false;
  originKey?: string;
}

/** The job as it stands when its intent is journalled. */
export function newJob(intent: Intent, nowMs: number): JobState {
  return {
    job: {
      batchId: null,
      batchRow: null,
      ...intent,
      jobId: null,
      status: null,
      goneReason: null,
      attempt: 1,
      createdAtMs: nowMs,
      acceptedAtMs: null,
      startedSeenAtMs: null,
      finishedSeenAtMs: null,
      delayTimeMs: null,
      executionTimeMs: null,
      ttlEndsAtMs: null,
      retentionEndsAtMs: null,
      outputBytes: 0,
      isResultSaved: false,
      isWithoutOutput: false,
      chunkCount: 0,
      lastCheckedAtMs: null,
      requestCount: 0,
      isStarred: false,
      isSeen: false,
      isCancelling: false,
    },
    attempt: newAttempt(1, nowMs),
  };
}

/** An attempt of which nothing is known yet. */
export function newAttempt(number: number, startedAtMs: number): Attempt {
  return {
    number,
    startedAtMs,
    status: null,
    delayTimeMs: null,
    executionTimeMs: null,
    workerId: null,
    errorText: null,
    hasOutput: false,
    outputBytes: 0,
    chunkCount: 0,
    finishedSeenAtMs: null,
  };
}

/**
 * Makes job keys of 26 characters: the millisecond, a counter and randomness, in base 32 (as a UUIDv7 or ULID).
 * Keys of one maker ascend strictly, also within one millisecond and when the machine's clock is set back,
 * because the list is ordered by them.
 */
export function createJobKeys(now: () => number, random: () => number): () => string {
  let lastMs = 0;
  let counter = 0;
  return () => {
    const nowMs = Math.floor(now());
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = Math.floor(random() * 2 ** 19);
    } else {
      counter += 1;
      if (counter >= 2 ** 20) {
        lastMs += 1;
        counter = 0;
      }
    }
    return (
      base32(lastMs, 10) +
      base32(counter, 4) +
      base32(Math.floor(random() * 2 ** 30), 6) +
      base32(Math.floor(random() * 2 ** 30), 6)
    );
  };
}

/** Crockford's digits: they sort as they count, and none is mistaken for another. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';

function base32(value: number, length: number): string {
  let text = '';
  let rest = value;
  for (let i = 0; i < length; i += 1) {
    text = (digits[rest % 32] ?? '0') + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Longest title made from an input, in characters. */
const longest = 120;

/** Fields that usually say what a job is about, best first. */
const telling = [
  'title',
  'name',
  'prompt',
  'text',
  'query',
  'question',
  'instruction',
  'message',
  'url',
  'image_url',
  'audio_url',
  'video_url',
  'file',
  'path',
];

/**
 * One line of at most 120 characters that tells a job from its neighbours in the list: the most telling field of its
 * input, else the endpoint with the input's first keys.
 */
export function titleFromInput(inputText: string, endpointId: string): string {
  const parsed = parseJson(inputText);
  const input = isRecord(parsed) ? parsed : {};
  const told = tellingText(input) ?? chatText(input) ?? nestedText(input);
  if (told !== null) return told;
  const keys = Object.keys(input);
  if (keys.length === 0) return cut(`${endpointId}: empty input`);
  return cut(`${endpointId}: ${keys.slice(0, 4).join(', ')}${keys.length > 4 ? ', …' : ''}`);
}

function tellingText(input: Record<string, unknown>): string | null {
  const lowered = new Map(Object.entries(input).map(([name, value]) => [name.toLowerCase(), value]));
  for (const name of telling) {
    const line = lineOf(lowered.get(name));
    if (line !== null) return line;
  }
  return null;
}

/** The last message a person wrote, in an input shaped like a chat. */
function chatText(input: Record<string, unknown>): string | null {
  const messages = input['messages'];
  if (!Array.isArray(messages)) return null;
  for (const message of messages.toReversed()) {
    if (!isRecord(message) || message['role'] === 'system' || message['role'] === 'assistant') continue;
    const line = lineOf(message['content']);
    if (line !== null) return line;
  }
  return null;
}

/** One level down, for inputs that wrap everything in one object. */
function nestedText(input: Record<string, unknown>): string | null {
  for (const value of Object.values(input)) {
    if (!isRecord(value)) continue;
    const line = tellingText(value);
    if (line !== null) return line;
  }
  return null;
}

function lineOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.length === 0 ? null : lineOf(value[0]);
  if (typeof value !== 'string') return null;
  // An inlined file tells nothing and would fill the row.
  if (value.startsWith('data:')) return null;
  const line = oneLine(value);
  return line === '' ? null : line;
}

/** Any text as one line without control characters, cut to `maxChars` at a whole character. */
export function oneLine(text: string, maxChars: number = longest): string {
  // Only the beginning can matter, and inputs can hold megabytes.
  const flat = text
    .slice(0, maxChars * 8)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return cut(flat, maxChars);
}

function cut(text: string, maxChars: number = longest): string {
  const characters = [...text];
  return characters.length <= maxChars
    ? text
    : `${characters
        .slice(0, maxChars - 1)
        .join('')
        .trimEnd()}…`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
