import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isTerminal, renderJob, type JobRecord } from '../../../../src-main/sandbox/queue/job-record.ts';
import { STATE_MIGRATIONS } from '../../../../src-main/sandbox/state/state-schema.ts';
import { openStateFile, type StateFile } from '../../../../src-main/sandbox/state/state-file.ts';
import { createVirtualClock, type VirtualClock } from '../../../kit/sandbox.ts';
import { createQueueRun, queueCommands } from './commands.ts';
import { openQueueScene, submissionOf, type QueueScene } from './scene.ts';

const MINUTE_MS = 60_000;

let folder: string;
let path: string;
let copies: number;
let clock: VirtualClock;
let opened: StateFile[];
let state: StateFile;
let scene: QueueScene;

function open(minWorkers = 0, crashRetries = 0): void {
  state = openStateFile(path);
  opened.push(state);
  scene = openQueueScene({ clock, store: state.jobStore('e'), endpoint: { minWorkers, maxWorkers: 1, crashRetries } });
}

/** What is on the disk while the sandbox still runs is what a killed one leaves behind. */
function crash(): void {
  const next = join(folder, `after-crash-${(copies += 1)}.db`);
  copyFileSync(path, next);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${next}-wal`);
  path = next;
}

function restart(downMs = 0): void {
  crash();
  clock.advance(downMs);
  open();
}

function found(record: JobRecord): JobRecord {
  const job = scene.queue.find(record.id);
  if (job === undefined) throw new Error(`${record.id} is not there.`);
  return job;
}

function submit(policy: Record<string, unknown> = {}, source: 'run' | 'runsync' = 'run'): JobRecord {
  return scene.queue.submit(submissionOf(policy), source);
}

/** A job that its worker has in hand. */
function running(policy: Record<string, unknown> = {}, source: 'run' | 'runsync' = 'run'): JobRecord {
  const job = submit(policy, source);
  scene.warmUp();
  expect(job.status).toBe('IN_PROGRESS');
  return job;
}

const chunk = (name: string): { outputJson: string; metricsJson: string | null } => ({
  outputJson: `"${name}"`,
  metricsJson: `{"of":"${name}"}`,
});
const drained = (name: string): string => `{"output":"${name}","metrics":{"of":"${name}"}}`;

function rowsOf(file: string, table: string): unknown[] {
  const db = new DatabaseSync(file);
  const rows = db.prepare(`SELECT * FROM ${table}`).all();
  db.close();
  return rows;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'));
  path = join(folder, 'state.db');
  copies = 0;
  opened = [];
  clock = createVirtualClock();
  open();
});

afterEach(() => {
  for (const file of opened) file.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('after the process was killed', () => {
  it('waiting jobs continue in their order, a retried one in its new place', () => {
    const first = running();
    const waiting = [submit(), submit({ lowPriority: true })];
    scene.threadOf(first).events.onFailed('broken');
    const [second, third] = waiting;
    scene.queue.retry(first);
    const order = [second, third, first].map((job) => job?.id);
    restart();
    scene.warmUp();
    for (let count = 0; count < 3; count += 1) scene.threads[0]?.events.onDone({ outputJson: null, isStreamed: false });
    expect(scene.threads[0]?.jobIds).toEqual(order);
    expect(scene.queue.jobCounts()).toEqual({ completed: 3, failed: 1, retried: 1, inProgress: 0, inQueue: 0 });
  });

  it('a running job is in the queue again, ahead of those behind it, with nothing of its first run', () => {
    const job = running();
    const { events } = scene.threadOf(job);
    events.onChunk(chunk('a'));
    events.onProgress('"half"');
    const behind = submit();
    restart(5_000);
    expect(found(job)).toMatchObject({
      status: 'IN_QUEUE',
      outputJson: null,
      startedAtMs: null,
      workerId: null,
      retries: 0,
    });
    expect(found(job).stream.replay()).toBe('[]');
    expect(scene.movesOf(job)).toEqual([{ from: 'IN_PROGRESS', to: 'IN_QUEUE', cause: 'restarted' }]);
    expect(scene.queue.jobCounts()).toEqual({ completed: 0, failed: 0, retried: 0, inProgress: 0, inQueue: 2 });
    scene.warmUp();
    expect(found(job).status).toBe('IN_PROGRESS');
    expect(found(behind).status).toBe('IN_QUEUE');
  });

  it('any number of jobs can expire at the same time', () => {
    const job = submit();
    const store = state.jobStore('e');
    const records = Array.from({ length: 200_000 }, () => job);
    store.removed(records, { nowMs: clock.now(), completed: 0, failed: 0, retried: 0 });
    expect(store.load().jobs).toEqual([]);
  });

  it('waiting lowPriority jobs find the minimum of workers, with no request needed', () => {
    const job = submit({ lowPriority: true });
    crash();
    open(1);
    scene.warmUp();
    expect(found(job).status).toBe('IN_PROGRESS');
  });

  it('the crashes of a job are counted further', () => {
    crash();
    open(0, 1);
    const job = running();
    scene.threadOf(job).events.onExit({ code: 1, error: null });
    expect(job).toMatchObject({ status: 'IN_QUEUE', retries: 1 });
    crash();
    open(0, 1);
    scene.warmUp();
    const again = found(job);
    scene.threadOf(again).events.onExit({ code: 1, error: null });
    expect(again).toMatchObject({ status: 'FAILED', retries: 1 });
  });

  it('a job is reported as restarted once, not at every later start', () => {
    const job = running();
    restart();
    restart();
    expect(found(job).status).toBe('IN_QUEUE');
    expect(scene.movesOf(job)).toEqual([]);
  });

  it('its executionTimeout starts again, its ttl does not', () => {
    const job = running({ executionTimeout: 20_000, ttl: 40_000 });
    clock.advance(15_000);
    restart();
    scene.warmUp();
    clock.advance(19_999);
    expect(found(job).status).toBe('IN_PROGRESS');
    clock.advance(1);
    expect(found(job).status).toBe('TIMED_OUT');
    clock.advance(5_000);
    expect(scene.queue.find(job.id)).toBeUndefined();
  });

  it.each([
    ['COMPLETED', () => scene.threads.at(-1)?.events.onDone({ outputJson: '{"x":"é\\u0000"}', isStreamed: false })],
    ['FAILED', () => scene.threads.at(-1)?.events.onFailed('a \u0000 and a lone \ud800')],
    ['TIMED_OUT', () => clock.advance(10_000)],
    ['CANCELLED', (job: JobRecord) => scene.queue.cancel(job)],
  ] as const)('a %s job reads the same as before', (status, end) => {
    const job = running({ executionTimeout: 10_000 });
    clock.advance(1_234);
    end(job);
    expect(job.status).toBe(status);
    const before = renderJob(job, 'observed', clock.now());
    restart(MINUTE_MS);
    expect(renderJob(found(job), 'observed', clock.now())).toBe(before);
  });

  it('a failed job can be retried with its input, a retried one shows no result of the first run', () => {
    const job = running();
    scene.threadOf(job).events.onFailed('broken');
    restart();
    scene.queue.retry(found(job));
    restart();
    expect(found(job)).toMatchObject({ status: 'IN_QUEUE', error: null, retries: 1 });
    expect(JSON.parse(found(job).submission.text)).toMatchObject({ input: { n: 1 } });
  });

  it('a result is kept for the rest of its retention, which passes while the sandbox is down', () => {
    const job = running();
    const sync = submit({}, 'runsync');
    scene.threadOf(job).events.onDone({ outputJson: '1', isStreamed: false });
    scene.threadOf(sync).events.onDone({ outputJson: '2', isStreamed: false });
    clock.advance(20_000);
    restart(39_999);
    expect(found(sync).outputJson).toBe('2');
    clock.advance(1);
    expect(scene.queue.find(sync.id)).toBeUndefined();
    restart(29 * MINUTE_MS - 1);
    expect(found(job).outputJson).toBe('1');
    clock.advance(1);
    expect(scene.queue.find(job.id)).toBeUndefined();
  });

  it('jobs that expired in between are gone, and reported', () => {
    const done = running({ ttl: 50_000 }, 'runsync');
    const left = submit({ ttl: 20_000 });
    scene.threadOf(done).events.onDone({ outputJson: '1', isStreamed: false });
    const kept = submit();
    restart(60_000);
    expect(scene.queue.find(done.id)).toBeUndefined();
    expect(scene.movesOf(done)).toEqual([{ from: 'COMPLETED', to: 'REMOVED', cause: 'ttl' }]);
    expect(scene.movesOf(left).at(-1)).toEqual({ from: 'IN_PROGRESS', to: 'REMOVED', cause: 'ttl' });
    expect(found(kept).status).toBe('IN_QUEUE');
    crash();
    expect(rowsOf(path, 'jobs')).toHaveLength(1);
    expect(rowsOf(path, 'submissions')).toHaveLength(1);
    expect(rowsOf(path, 'results')).toHaveLength(0);
  });

  it('a restarted ttl is kept', () => {
    const [waiting, finished] = [submit({ ttl: 10_000 }), submit({ ttl: 10_000 })];
    scene.warmUp();
    scene.threadOf(waiting).events.onDone({ outputJson: null, isStreamed: false });
    for (const job of [waiting, finished]) scene.queue.restartTtl(job, 60_000);
    restart(59_999);
    for (const job of [waiting, finished]) expect(scene.queue.find(job.id)).toBeDefined();
    clock.advance(1);
    for (const job of [waiting, finished]) expect(scene.queue.find(job.id)).toBeUndefined();
  });

  it('purged and cancelled jobs do not come back', () => {
    running();
    const [purged, cancelled] = [submit(), submit()];
    scene.queue.cancel(cancelled);
    scene.queue.purge();
    restart();
    expect(scene.queue.find(purged.id)).toBeUndefined();
    expect(found(cancelled).status).toBe('CANCELLED');
  });
});

describe('the stream of a finished job, after a restart', () => {
  function streamed(end: 'done' | 'failed'): JobRecord {
    const job = running();
    const { events } = scene.threadOf(job);
    events.onChunk(chunk('a'));
    job.stream.drain();
    events.onChunk(chunk('é'));
    events.onChunk({ outputJson: '{"c":[1,2]}', metricsJson: null });
    if (end === 'done') events.onDone({ outputJson: null, isStreamed: true });
    else events.onFailed('broken');
    return job;
  }

  it('continues after the last read chunk, once', () => {
    const job = streamed('done');
    restart();
    expect(found(job).outputJson).toBe('["a","é",{"c":[1,2]}]');
    expect(found(job).stream.drain()).toBe(`[${drained('é')},{"output":{"c":[1,2]}}]`);
    restart();
    expect(found(job).stream.drain()).toBe('[]');
  });

  it('is not repeated if it was read after the end and before the restart', () => {
    const job = streamed('done');
    job.stream.drain();
    restart();
    expect(found(job).stream.drain()).toBe('[]');
  });

  it('repeats from the first chunk in replay', () => {
    const job = streamed('done');
    restart();
    expect(found(job).stream.replay()).toBe(`[${drained('a')},${drained('é')},{"output":{"c":[1,2]}}]`);
  });

  it('is kept even if the job failed midway, and removed after a retry', () => {
    const job = streamed('failed');
    restart();
    expect(found(job).outputJson).toBeNull();
    expect(found(job).stream.drain()).toBe(`[${drained('é')},{"output":{"c":[1,2]}}]`);
    scene.queue.retry(found(job));
    restart();
    expect(found(job).stream.replay()).toBe('[]');
  });
});

describe('the file', () => {
  it('contains a submission only while its job can run: it may contain secrets', () => {
    const secret = { s3Config: { accessSecret: 'do-not-keep' } };
    const [done, failed] = [1, 2].map(() => scene.queue.submit(submissionOf({}, secret), 'run'));
    scene.warmUp();
    scene.threads[0]?.events.onDone({ outputJson: null, isStreamed: false });
    scene.threads[0]?.events.onFailed('broken');
    crash();
    expect([done?.status, failed?.status]).toEqual(['COMPLETED', 'FAILED']);
    expect(rowsOf(path, 'submissions')).toEqual([{ job: failed?.number, body: failed?.submission.text }]);
  });

  it('keeps the jobs of an endpoint that is missing at this start', () => {
    const job = submit();
    crash();
    const other = openStateFile(path);
    openQueueScene({ clock, store: other.jobStore('another') }).queue.submit(submissionOf(), 'run');
    other.close();
    restart();
    expect(found(job).status).toBe('IN_QUEUE');
    expect(scene.queue.jobCounts().inQueue).toBe(1);
  });

  it('knows the latest time the service has seen, over all endpoints, and none when it is new', async () => {
    expect(openAnother('new.db').clockMs).toBeNull();
    submit();
    clock.advance(3_000);
    openQueueScene({ clock, store: state.jobStore('another') }).queue.submit(submissionOf(), 'run');
    clock.advance(1_000);
    const before = path;
    crash();
    expect(openAnother(path).clockMs).toBe(clock.now() - 1_000);
    path = before;
    await scene.queue.close();
    crash();
    expect(openAnother(path).clockMs).toBe(clock.now());
  });

  it('of an earlier version is read, with nothing lost', () => {
    const job = submit();
    crash();
    const db = new DatabaseSync(path);
    db.exec(`ALTER TABLE jobs DROP COLUMN crashes; DROP TABLE webhooks; PRAGMA user_version = 1`);
    db.close();
    open();
    expect(found(job)).toMatchObject({ status: 'IN_QUEUE', crashes: 0 });
    expect(state.webhooks.unfinished).toEqual([]);
    crash();
    expect(rowsOf(path, 'pragma_user_version')).toEqual([{ user_version: STATE_MIGRATIONS.length }]);
  });

  it('keeps documents by name', () => {
    expect(state.documents.read('templates')).toBeNull();
    state.documents.write('templates', '{"a":1}');
    state.documents.write('templates', '{"a":2}');
    restart();
    expect(state.documents.read('templates')).toBe('{"a":2}');
  });

  function openAnother(name: string): StateFile {
    const file = openStateFile(name.includes('/') ? name : join(folder, name));
    opened.push(file);
    return file;
  }
});

/** What a restart must restore of a job: all of it, but a run in progress starts again. */
function expectedAfterRestart(job: JobRecord): unknown {
  const wasRunning = job.status === 'IN_PROGRESS';
  return {
    id: job.id,
    status: wasRunning ? 'IN_QUEUE' : job.status,
    text: job.submission.text,
    outputJson: wasRunning ? null : job.outputJson,
    error: job.error,
    retries: job.retries,
    ttlEndsAtMs: job.ttlEndsAtMs,
    stateEndsAtMs: isTerminal(job.status) ? job.stateEndsAtMs : Infinity,
    unread: wasRunning ? '[]' : job.stream.drain(),
  };
}

it('whatever happened before the process was killed, the next one has the same jobs, counts and order', () => {
  fc.assert(
    fc.property(queueCommands, (commands) => {
      path = join(folder, `run-${(copies += 1)}.db`);
      clock = createVirtualClock();
      open();
      const run = createQueueRun(scene);
      for (const command of commands) run.apply(command);
      crash();
      const held = run.jobs.filter(({ isRemoved }) => !isRemoved);
      expect(rowsOf(path, 'jobs')).toHaveLength(held.length);
      const { completed, failed, retried, inQueue, inProgress } = scene.queue.jobCounts();
      const expected = held.map(expectedAfterRestart);
      state.close();
      open();
      expect(held.map((job) => expectedAfterRestart(found(job)))).toEqual(expected);
      expect(scene.queue.jobCounts()).toEqual({
        completed,
        failed,
        retried,
        inProgress: 0,
        inQueue: inQueue + inProgress,
      });
      state.close();
    }),
    { numRuns: 40 },
  );
});
