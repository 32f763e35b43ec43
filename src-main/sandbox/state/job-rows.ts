import type { DatabaseSync } from 'node:sqlite';
import { withoutMember } from '../json-members.ts';
import { createJobRecord, isTerminal, type JobRecord, type JobSource, type JobStatus } from '../queue/job-record.ts';
import type { JobStore, SavedCounts, Moment } from '../queue/store.ts';
import { chunksWithin, createStreamBuffer, type ChunkLayout } from '../queue/stream-buffer.ts';
import { number, numberOrNull, oneOf, text, textOrNull, type Row } from './state-schema.ts';
import type { StateChange, StateWrites } from './state-writes.ts';

const SOURCES: readonly JobSource[] = ['run', 'runsync'];
const STATUSES: readonly JobStatus[] = ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];

export interface JobRowsOptions {
  db: DatabaseSync;
  endpointId: string;
  writes: Pick<StateWrites, 'keep' | 'keepOrRefuse' | 'together'>;
  /** The next free number in the file. */
  nextNumber(): number;
  /** False: the s3Config of a submission is not written to the file. */
  keepsSecrets: boolean;
  /** Reads the file. An error is replaced by one that names the file. */
  reading<T>(read: () => T): T;
}

/** `null` for a job that is waiting or running: its stateEndsAtMs is not that of a result. */
function resultEndsAtMs({ status, stateEndsAtMs }: JobRecord): number | null {
  return isTerminal(status) ? stateEndsAtMs : null;
}

/** One endpoint's jobs as rows of the state file. */
export class JobRows implements JobStore {
  readonly #db: DatabaseSync;
  readonly #endpointId: string;
  readonly #writes: JobRowsOptions['writes'];
  readonly #nextNumber: () => number;
  readonly #keepsSecrets: boolean;
  readonly #reading: JobRowsOptions['reading'];
  readonly #statements: Statements;

  constructor({ db, endpointId, writes, nextNumber, keepsSecrets, reading }: JobRowsOptions) {
    this.#db = db;
    this.#endpointId = endpointId;
    this.#writes = writes;
    this.#nextNumber = nextNumber;
    this.#keepsSecrets = keepsSecrets;
    this.#reading = reading;
    this.#statements = prepareStatements(db);
  }

  /** All jobs of the endpoint as they were saved, with their counters. */
  load(): { jobs: JobRecord[]; counts: SavedCounts } {
    return this.#reading(() => {
      const rows = this.#db.prepare(`
        SELECT * FROM jobs
        LEFT JOIN submissions ON submissions.job = jobs.number
        LEFT JOIN results ON results.job = jobs.number
        WHERE endpoint_id = ? ORDER BY number`);
      const jobs: JobRecord[] = [];
      for (const row of rows.iterate(this.#endpointId)) jobs.push(readJob(row, this));
      const counts = readCounts(this.#db.prepare('SELECT * FROM endpoints WHERE id = ?').get(this.#endpointId));
      return { jobs, counts };
    });
  }

  /** Saves a new job. Throws if the disk refuses, so that the submission is refused. */
  submitted(record: JobRecord, moment: Moment): void {
    const jobNumber = this.#nextNumber();
    this.#writes.keepOrRefuse(
      rowChange(jobNumber, () => this.#insert(record, jobNumber)),
      this.#momentChange(moment),
    );
    record.number = jobNumber;
  }

  /** Saves a job's new state and its worker. */
  moved(record: JobRecord, moment: Moment): void {
    this.#writes.keep([this.#change(record, () => this.#move(record)), this.#momentChange(moment)]);
  }

  /** Saves a job's end with its output or error. */
  finished(record: JobRecord, moment: Moment): void {
    this.#writes.keep([
      this.#change(record, () => {
        this.#move(record);
        this.#insertResult(record);
        this.#dropSpentSubmission(record);
      }),
      this.#momentChange(moment),
    ]);
  }

  /** Saves that a job is at the end of the queue again. */
  requeued(record: JobRecord, moment: Moment): void {
    const before = record.number;
    record.number = this.#nextNumber();
    this.#writes.keep([
      this.#dropChange(before),
      this.#change(record, () => this.#insert(record, record.number)),
      this.#momentChange(moment),
    ]);
  }

  /** Deletes jobs from the file. */
  removed(records: readonly JobRecord[], moment: Moment): void {
    this.#writes.keep([...records.map((record) => this.#dropChange(record.number)), this.#momentChange(moment)]);
  }

  /** Saves how many chunks of a job's stream were read. */
  read(record: JobRecord, readCount: number): void {
    this.#writes.keep([this.#change(record, () => this.#statements.setRead.run(readCount, record.number))]);
  }

  /** Saves the moment at which the sandbox stops. */
  closed(moment: Moment): void {
    this.#writes.keep([this.#momentChange(moment)]);
  }

  /** Does `work` in one transaction. */
  together(work: () => void): void {
    this.#writes.together(work);
  }

  #momentChange({ nowMs, completed, failed, retried }: Moment): StateChange {
    const endpointId = this.#endpointId;
    const write = (): void => void this.#statements.keepMoment.run(nowMs, completed, failed, retried, endpointId);
    return { name: `endpoint ${endpointId}`, write, rewrite: write };
  }

  #dropChange(jobNumber: number): StateChange {
    return rowChange(jobNumber, () => this.#drop(jobNumber));
  }

  /** A change of a job that has a row. */
  #change(record: JobRecord, write: () => void): StateChange {
    return rowChange(record.number, write, () => this.#rewrite(record));
  }

  #insert(record: JobRecord, jobNumber: number): void {
    const { id, source, submission, queuedAtMs, retries, crashes, ttlEndsAtMs } = record;
    const { webhook, executionTimeoutMs, ttlMs, isLowPriority, text: body } = submission;
    const { insertJob, insertSubmission } = this.#statements;
    insertJob.run(
      jobNumber,
      id,
      this.#endpointId,
      source,
      webhook,
      executionTimeoutMs,
      ttlMs,
      Number(isLowPriority),
      queuedAtMs,
      retries,
      crashes,
      ttlEndsAtMs,
    );
    if (body !== '') insertSubmission.run(jobNumber, this.#keepsSecrets ? body : withoutMember(body, 's3Config'));
  }

  #move(record: JobRecord): void {
    const { status, startedAtMs, endedAtMs, workerId, ttlEndsAtMs, stream } = record;
    this.#statements.moveJob.run(
      status,
      startedAtMs,
      endedAtMs,
      workerId,
      ttlEndsAtMs,
      resultEndsAtMs(record),
      stream.readCount(),
      record.number,
    );
  }

  #insertResult(record: JobRecord): void {
    const { outputJson, error, stream } = record;
    const layout = stream.layout();
    if (outputJson === null && error === null && layout.length === 0) return;
    const outputsJson = layout.length === 0 ? null : stream.outputs();
    const isStreamed = outputsJson !== null && outputJson === outputsJson;
    this.#statements.insertResult.run(
      record.number,
      isStreamed ? null : outputJson,
      // As JSON, because SQLite's texts cannot contain NUL and lone surrogates.
      error === null ? null : JSON.stringify(error),
      Number(isStreamed),
      outputsJson,
      outputsJson === null ? null : JSON.stringify(layout),
    );
  }

  #drop(jobNumber: number): void {
    this.#statements.dropSubmission.run(jobNumber);
    this.#statements.dropResult.run(jobNumber);
    this.#statements.dropJob.run(jobNumber);
  }

  #rewrite(record: JobRecord): void {
    this.#drop(record.number);
    this.#insert(record, record.number);
    this.#move(record);
    if (!isTerminal(record.status)) return;
    this.#insertResult(record);
    this.#dropSpentSubmission(record);
  }

  #dropSpentSubmission({ status, number: jobNumber }: JobRecord): void {
    if (status === 'COMPLETED' || status === 'CANCELLED') this.#statements.dropSubmission.run(jobNumber);
  }
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(db: DatabaseSync) {
  return {
    insertJob: db.prepare(`
      INSERT INTO jobs (number, id, endpoint_id, source, status, webhook, execution_timeout_ms, ttl_ms,
        is_low_priority, queued_at_ms, retries, crashes, ttl_ends_at_ms)
      VALUES (?, ?, ?, ?, 'IN_QUEUE', ?, ?, ?, ?, ?, ?, ?, ?)`),
    insertSubmission: db.prepare('INSERT INTO submissions (job, body) VALUES (?, ?)'),
    moveJob: db.prepare(
      'UPDATE jobs SET status = ?, started_at_ms = ?, ended_at_ms = ?, worker_id = ?, ttl_ends_at_ms = ?, ' +
        'result_ends_at_ms = ?, chunks_read = ? WHERE number = ?',
    ),
    insertResult: db.prepare(
      'INSERT INTO results (job, output_json, error_json, is_streamed, outputs_json, layout_json) ' +
        'VALUES (?, ?, ?, ?, ?, ?)',
    ),
    setRead: db.prepare('UPDATE jobs SET chunks_read = ? WHERE number = ?'),
    dropSubmission: db.prepare('DELETE FROM submissions WHERE job = ?'),
    dropResult: db.prepare('DELETE FROM results WHERE job = ?'),
    dropJob: db.prepare('DELETE FROM jobs WHERE number = ?'),
    keepMoment: db.prepare('UPDATE endpoints SET clock_ms = ?, completed = ?, failed = ?, retried = ? WHERE id = ?'),
  };
}

function rowChange(jobNumber: number, write: () => void, rewrite: () => void = write): StateChange {
  return { name: `job ${jobNumber}`, write, rewrite };
}

function readCounts(row: Row | undefined): SavedCounts {
  if (row === undefined) return { completed: 0, failed: 0, retried: 0 };
  return { completed: number(row, 'completed'), failed: number(row, 'failed'), retried: number(row, 'retried') };
}

function readJob(row: Row, store: JobStore): JobRecord {
  const submission = {
    text: textOrNull(row, 'body') ?? '',
    webhook: textOrNull(row, 'webhook'),
    executionTimeoutMs: number(row, 'execution_timeout_ms'),
    ttlMs: number(row, 'ttl_ms'),
    isLowPriority: number(row, 'is_low_priority') !== 0,
  };
  const record = createJobRecord(
    submission,
    oneOf(row, 'source', SOURCES),
    number(row, 'queued_at_ms'),
    text(row, 'id'),
  );
  record.number = number(row, 'number');
  record.status = oneOf(row, 'status', STATUSES);
  record.startedAtMs = numberOrNull(row, 'started_at_ms');
  record.endedAtMs = numberOrNull(row, 'ended_at_ms');
  record.workerId = textOrNull(row, 'worker_id');
  record.retries = number(row, 'retries');
  record.crashes = number(row, 'crashes');
  record.ttlEndsAtMs = number(row, 'ttl_ends_at_ms');
  record.stateEndsAtMs = numberOrNull(row, 'result_ends_at_ms') ?? Infinity;
  if (row['is_streamed'] !== null) readResult(row, record, store);
  return record;
}

function readResult(row: Row, record: JobRecord, store: JobStore): void {
  const outputsJson = textOrNull(row, 'outputs_json');
  const errorJson = textOrNull(row, 'error_json');
  const error: string | null = errorJson === null ? null : JSON.parse(errorJson);
  record.error = error;
  record.outputJson = number(row, 'is_streamed') === 0 ? textOrNull(row, 'output_json') : outputsJson;
  if (outputsJson === null) return;
  const layout: ChunkLayout[] = JSON.parse(text(row, 'layout_json'));
  record.stream = createStreamBuffer({
    chunks: chunksWithin(outputsJson, layout),
    readCount: number(row, 'chunks_read'),
    onRead: (readCount) => store.read(record, readCount),
  });
}
