import type { ClockTimer, ScaledClock } from '../clock.ts';
import type { Faults } from '../faults/faults.ts';
import { memberText } from '../json-members.ts';
import { WEBHOOK_ATTEMPTS, WEBHOOK_PAUSE_MS, type Dialect } from '../specification.ts';
import { renderJob, type JobRecord } from './job-record.ts';
import type { DueWebhook, WebhookCall, WebhookStore } from './store.ts';

/** A webhook call that began at `atMs`. `status` is null without an answer. */
export interface WebhookAttempt {
  atMs: number;
  endpointId: string;
  jobId: string;
  attempt: number;
  status: number | null;
  /** A fault kept it from being sent. */
  isDropped: boolean;
}

export interface WebhookSender {
  send(call: WebhookCall): void;
  /** Continues the calls of an earlier sandbox, each when it is due. Call it once. */
  resume(): void;
  /** The latest attempts, oldest first. */
  attempts(): WebhookAttempt[];
  close(): void;
}

/** Real time, because the receiver does not run faster with the service. */
const ANSWER_WITHIN_MS = 10_000;
/** The most simultaneous calls. Others wait, so that a dead receiver costs little. */
const CALLS_AT_ONCE = 64;
const KEPT_ATTEMPTS = 1_000;

export interface WebhookOptions {
  clock: ScaledClock;
  faults: Pick<Faults, 'pick'>;
  store: WebhookStore;
}

/**
 * Calls webhooks: POST application/json, success is HTTP 200 only, otherwise two more attempts ten seconds apart (spec:
 * Events; ruling 25). A call in progress when the process ended is repeated, because it is not known whether it was
 * answered.
 */
export function createWebhookSender({ clock, faults, store }: WebhookOptions): WebhookSender {
  const attempts: WebhookAttempt[] = [];
  const pauses = new Set<ClockTimer>();
  const closing = new AbortController();
  const line: (() => Promise<void>)[] = [];
  let inProgress = 0;

  async function call({ url, body }: WebhookCall): Promise<number | null> {
    const tooLate = new AbortController();
    const timer = clock.setTimeout(() => tooLate.abort(), ANSWER_WITHIN_MS * clock.timeScale());
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([tooLate.signal, closing.signal]),
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return null;
    } finally {
      clock.clearTimeout(timer);
    }
  }

  function note(attempt: WebhookAttempt): void {
    attempts.push(attempt);
    if (attempts.length > KEPT_ATTEMPTS) attempts.shift();
  }

  function later(delayMs: number, work: () => void): void {
    const pause = clock.setTimeout(() => {
      pauses.delete(pause);
      work();
    }, delayMs);
    pauses.add(pause);
  }

  /** Begins a call as soon as fewer than {@link CALLS_AT_ONCE} are in progress. */
  function inLine(work: () => Promise<void>): void {
    if (inProgress >= CALLS_AT_ONCE) return void line.push(work);
    inProgress += 1;
    void work().finally(() => {
      inProgress -= 1;
      const next = line.shift();
      if (next !== undefined && !closing.signal.aborted) inLine(next);
    });
  }

  async function attemptCall(webhook: DueWebhook): Promise<void> {
    const { endpointId, jobId, attempt } = webhook;
    const atMs = clock.now();
    const isDropped = faults.pick(['drop-webhook'], { operation: 'webhook', endpointId }) !== null;
    const status = isDropped ? null : await call(webhook);
    if (closing.signal.aborted) return;
    note({ atMs, endpointId, jobId, attempt, status, isDropped });
    if (status === 200 || attempt >= WEBHOOK_ATTEMPTS) return store.over(webhook);
    const next: DueWebhook = { ...webhook, attempt: attempt + 1, dueAtMs: clock.now() + WEBHOOK_PAUSE_MS };
    store.postponed(next);
    beginInTime(next);
  }

  function begin(webhook: DueWebhook): void {
    const delayMs = faults.pick(['delay'], { operation: 'webhook', endpointId: webhook.endpointId })?.delayMs ?? 0;
    const attemptInLine = (): void => inLine(() => attemptCall(webhook));
    if (delayMs === 0) attemptInLine();
    else later(delayMs, attemptInLine);
  }

  function beginInTime(webhook: DueWebhook): void {
    later(Math.max(0, webhook.dueAtMs - clock.now()), () => begin(webhook));
  }

  return {
    send: (call) => begin(store.added({ ...call, attempt: 1, dueAtMs: clock.now() })),
    resume: () => store.unfinished.forEach(beginInTime),
    attempts: () => [...attempts],
    close: () => {
      closing.abort();
      for (const pause of pauses) clock.clearTimeout(pause);
    },
  };
}

/** Ruling 25: the job record plus `input` and `webhook`. */
export function webhookBody(record: JobRecord, url: string, dialect: Dialect, nowMs: number): string {
  const input = memberText(record.submission.text, 'input') ?? '{}';
  return `${renderJob(record, dialect, nowMs).slice(0, -1)},"input":${input},"webhook":${JSON.stringify(url)}}`;
}
