import type { Clock, ClockTimer } from '../time/clock.ts';
import { WEBHOOK_ATTEMPTS, WEBHOOK_PAUSE_MS } from '../limits.ts';

/** One call of a webhook, begun at `atMs`. `status` is null when no answer came. */
export interface WebhookAttempt {
  atMs: number;
  jobId: string;
  attempt: number;
  status: number | null;
}

export interface WebhookCall {
  jobId: string;
  url: string;
  /** The body, made when the call begins: later changes of the job do not alter it. */
  body: string;
}

export interface WebhookSender {
  send(call: WebhookCall): void;
  /** The latest attempts, oldest first. */
  attempts(): WebhookAttempt[];
  close(): void;
}

const ANSWER_WITHIN_MS = 10_000;
const KEPT_ATTEMPTS = 1_000;

/**
 * Calls webhooks: POST application/json, success is HTTP 200 only, otherwise two more attempts ten
 * seconds apart (spec: Events; ruling 25).
 */
export function createWebhookSender(clock: Clock): WebhookSender {
  const attempts: WebhookAttempt[] = [];
  const pauses = new Set<ClockTimer>();
  const closing = new AbortController();

  async function call({ url, body }: WebhookCall): Promise<number | null> {
    const tooLate = new AbortController();
    const timer = clock.setTimeout(() => tooLate.abort(), ANSWER_WITHIN_MS);
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

  async function attemptCall(webhook: WebhookCall, attempt: number): Promise<void> {
    const atMs = clock.now();
    const status = await call(webhook);
    if (closing.signal.aborted) return;
    attempts.push({ atMs, jobId: webhook.jobId, attempt, status });
    if (attempts.length > KEPT_ATTEMPTS) attempts.shift();
    if (status === 200 || attempt === WEBHOOK_ATTEMPTS) return;
    const pause = clock.setTimeout(() => {
      pauses.delete(pause);
      void attemptCall(webhook, attempt + 1);
    }, WEBHOOK_PAUSE_MS);
    pauses.add(pause);
  }

  return {
    send: (webhook) => void attemptCall(webhook, 1),
    attempts: () => [...attempts],
    close: () => {
      closing.abort();
      for (const pause of pauses) clock.clearTimeout(pause);
    },
  };
}
