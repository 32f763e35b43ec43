/** A webhook call: what it says is settled when its job ends, later changes of the job do not alter it. */
export interface WebhookCall {
  endpointId: string;
  jobId: string;
  url: string;
  body: string;
}

/** A call that is still to be made. */
export interface DueWebhook extends WebhookCall {
  /** Names it in the store. */
  readonly number: number;
  /** Which attempt comes next, from 1. */
  readonly attempt: number;
  /** When it comes, in clock milliseconds. */
  readonly dueAtMs: number;
}

/** Where webhook calls are kept until they have succeeded or were tried often enough; see state/webhook-rows.ts. */
export interface WebhookStore {
  /** What an earlier sandbox left to do, in the order it was added. */
  readonly left: readonly DueWebhook[];
  added(call: Omit<DueWebhook, 'number'>): DueWebhook;
  /** Another attempt at another time. */
  postponed(webhook: DueWebhook): void;
  /** Answered, or given up. */
  over(webhook: DueWebhook): void;
}

/** A store for a sandbox without a state file. */
export function createMemoryWebhooks(): WebhookStore {
  let lastNumber = 0;
  return {
    left: [],
    added: (call) => ({ ...call, number: (lastNumber += 1) }),
    postponed: () => undefined,
    over: () => undefined,
  };
}
