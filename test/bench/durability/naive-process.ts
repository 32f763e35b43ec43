import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FromClient, ToClient } from './messages.ts';
import type { NaiveJob } from './naive-job.ts';

/**
 * The peer: a client as one writes it in an afternoon. A failed submission is sent again, the status of each job is
 * read every half second, chunks are appended as they arrive, and everything is in one JSON file.
 */
const everyMs = 500;
const tries = 3;
let jobs: Record<string, NaiveJob> = {};
let file = '';
let base = '';
let headers: Record<string, string> = {};

function send(message: FromClient): void {
  process.send?.(message);
}

function save(): void {
  writeFileSync(file, JSON.stringify(jobs));
}

async function call(path: string, body?: string): Promise<unknown> {
  const reply = await fetch(`${base}/${path}`, body === undefined ? { headers } : { method: 'POST', headers, body });
  if (!reply.ok) throw new Error(`HTTP ${reply.status}`);
  const value: unknown = await reply.json();
  return value;
}

async function submit(inputText: string, ttlMs: number | null): Promise<string> {
  for (let left = tries; ; left -= 1) {
    try {
      const { id } = fieldsOf(
        await call(
          'run',
          JSON.stringify({
            input: JSON.parse(inputText) as unknown,
            ...(ttlMs === null ? {} : { policy: { ttl: ttlMs } }),
          }),
        ),
      );
      if (typeof id !== 'string') throw new Error('no id');
      const { marker } = fieldsOf(JSON.parse(inputText));
      jobs[String(marker)] = { id, status: 'IN_QUEUE', output: null, error: null, chunks: [] };
      save();
      return id;
    } catch (error) {
      if (left <= 1) throw error;
      await sleep(200);
    }
  }
}

async function readStatus(job: NaiveJob): Promise<void> {
  const { status, output, error } = fieldsOf(await call(`status/${job.id}`));
  const chunks: unknown = await call(`stream/${job.id}`);
  if (Array.isArray(chunks)) for (const chunk of chunks) job.chunks.push(JSON.stringify(fieldsOf(chunk)['output']));
  job.status = String(status);
  if (output !== undefined) job.output = JSON.stringify(output);
  if (typeof error === 'string') job.error = error;
  save();
}

async function follow(): Promise<never> {
  for (;;) {
    await sleep(everyMs);
    await Promise.all(
      open().map((job) =>
        readStatus(job).catch((error: unknown) => {
          // It most probably means that the job is gone.
          if (error instanceof Error && error.message === 'HTTP 404') job.status = 'GONE';
        }),
      ),
    );
  }
}

function open(): NaiveJob[] {
  return Object.values(jobs).filter(({ status }) => status !== 'COMPLETED' && status !== 'FAILED' && status !== 'GONE');
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function start({ folder, baseUrl, apiKey, endpointId }: Extract<ToClient, { kind: 'start' }>): void {
  file = join(folder, 'jobs.json');
  base = `${baseUrl}/v2/${endpointId}`;
  headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  try {
    if (existsSync(file)) jobs = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Half a file: the client begins with an empty one.
  }
  void follow();
  send({ kind: 'ready' });
}

process.on('message', (message: ToClient) => {
  switch (message.kind) {
    case 'start':
      return start(message);
    case 'submit':
      return void submit(message.inputText, message.ttlMs).then(
        (said) => send({ kind: 'submitted', ask: message.ask, isTaken: true, said }),
        (error: unknown) => send({ kind: 'submitted', ask: message.ask, isTaken: false, said: String(error) }),
      );
    case 'live':
      return send({ kind: 'live', ask: message.ask, count: open().length });
    case 'close':
      save();
      send({ kind: 'closed', ask: message.ask });
      return process.disconnect();
  }
});
process.once('disconnect', () => process.exit(0));
