import type { DatabaseSync } from 'node:sqlite';
import type { DueWebhook, WebhookStore } from '../queue/store.ts';
import { number, text, type Row } from './state-schema.ts';
import type { StateChange, StateWrites } from './state-writes.ts';

export interface WebhookRowsOptions {
  db: DatabaseSync;
  writes: Pick<StateWrites, 'keep'>;
}

function readWebhook(row: Row): DueWebhook {
  return {
    number: number(row, 'number'),
    endpointId: text(row, 'endpoint_id'),
    jobId: text(row, 'job_id'),
    url: text(row, 'url'),
    body: text(row, 'body'),
    attempt: number(row, 'attempt'),
    dueAtMs: number(row, 'due_at_ms'),
  };
}

/**
 * The webhook calls that are still to be made, as rows of the state file. Throws what SQLite throws when they cannot be
 * read.
 */
export function createWebhookRows({ db, writes }: WebhookRowsOptions): WebhookStore {
  const insert = db.prepare(
    'INSERT INTO webhooks (number, endpoint_id, job_id, url, body, attempt, due_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const put = db.prepare('UPDATE webhooks SET attempt = ?, due_at_ms = ? WHERE number = ?');
  const drop = db.prepare('DELETE FROM webhooks WHERE number = ?');
  const unfinished = db.prepare('SELECT * FROM webhooks ORDER BY number').all().map(readWebhook);
  let lastNumber = unfinished.at(-1)?.number ?? 0;

  function change(webhook: DueWebhook, write: () => void, rewrite: () => void): StateChange {
    return { name: `webhook ${webhook.number}`, write, rewrite };
  }

  function add({ number: row, endpointId, jobId, url, body, attempt, dueAtMs }: DueWebhook): void {
    insert.run(row, endpointId, jobId, url, body, attempt, dueAtMs);
  }

  function replace(webhook: DueWebhook): void {
    drop.run(webhook.number);
    add(webhook);
  }

  return {
    unfinished,
    added: (call) => {
      const webhook = { ...call, number: (lastNumber += 1) };
      writes.keep([
        change(
          webhook,
          () => add(webhook),
          () => replace(webhook),
        ),
      ]);
      return webhook;
    },
    postponed: (webhook) =>
      writes.keep([
        change(
          webhook,
          () => put.run(webhook.attempt, webhook.dueAtMs, webhook.number),
          () => replace(webhook),
        ),
      ]),
    over: (webhook) =>
      writes.keep([
        change(
          webhook,
          () => drop.run(webhook.number),
          () => drop.run(webhook.number),
        ),
      ]),
  };
}
