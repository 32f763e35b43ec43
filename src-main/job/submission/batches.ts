import { batchStateOf, failedRows } from '../../../src-preload/batch.ts';
import type { Batch, BatchSubmission, RefusedRow } from '../../../src-preload/batch.ts';
import type { BatchRequest } from '../../../src-preload/batch-schema.ts';
import { failed, ok } from '../../../src-preload/failure.ts';
import type { Failure, Result } from '../../../src-preload/failure.ts';
import { errorText } from '../../async/error-text.ts';
import type { History } from '../../history/history.ts';
import type { BatchRecord, BatchRow, JobCommit, StoredSubmission } from '../../history/records.ts';
import { bodyBytes, checkSubmission } from '../../service/submission-body.ts';
import type { S3Config } from '../../service/submission-body.ts';
import { createBatchEnds } from './batch-ends.ts';
import type { Clock } from '../../time/clock.ts';
import { newJob } from '../reducer/job-event.ts';
import type { JobState } from '../reducer/job-event.ts';
import type { Ledger, LedgerChange } from '../store/ledger.ts';
import { titleFromInput } from '../reducer/title.ts';

/** Inputs submitted together. Each row is a job of its own and goes out through the outbox, in row order. */
export interface Batches {
  /** Takes up what a former run left paused. */
  start(): Promise<void>;
  /** Checks every row, then keeps all of them or none. Answers when they are on disk; nothing is sent before. */
  submit(request: BatchRequest): Promise<Result<BatchSubmission>>;
  list(connectionId: string | null): Promise<Result<Batch[]>>;
  /** Holds the rows back that were not sent yet, or lets them go on. Over restarts. */
  setPaused(id: string, isPaused: boolean): Promise<Result<Batch>>;
  /** Cancels the rows that were not sent yet. */
  withdraw(id: string): Promise<Result<Batch>>;
  /** The inputs of the rows that failed or were refused, as a batch of their own. */
  submitFailed(id: string): Promise<Result<BatchSubmission>>;
  isPaused(id: string): boolean;
  /** Jobs changed: their batches are told of soon. */
  noteChanges(changes: readonly LedgerChange[]): void;
  /** From now on nothing new is kept or told. */
  close(): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

export interface BatchesParts {
  ledger: Ledger;
  history: History;
  clock: Clock;
  baseUrlOf: (connectionId: string) => Promise<Result<string>>;
  s3Config: (profileId: string) => Promise<Result<S3Config>>;
  /** What goes out as webhook with a row; see jobs.ts. */
  callbackFor: (webhook: string, jobKey: string) => string;
  newKey: () => string;
  onChanged: (batches: Batch[]) => void;
  /** Once, when nothing more will come of any row. */
  onEnded: (batch: Batch) => void;
  onTrouble: (error: unknown) => void;
  /** Something may be sent now that was held. */
  wake: () => void;
}

/** Batches are told of at most this often. */
const tellEveryMs = 500;
/** Work done in one turn of the event loop: so many rows, or characters of input. */
const atOnce = { rows: 50, chars: 200_000 };
/** More refused rows than anyone reads are not listed. */
const mostRefusedShown = 1_000;

export function createBatches(parts: BatchesParts): Batches {
  const { ledger, history, clock } = parts;
  const paused = new Set<string>();
  /** Nothing of these is to be sent any more, not even a row that comes back from a try. */
  const withdrawn = new Set<string>();
  const changed = new Set<string>();
  const underWay = new Set<Promise<unknown>>();
  const ends = createBatchEnds();
  let isTelling = false;
  let isClosed = false;

  function following<T>(work: Promise<T>): Promise<T> {
    const done: Promise<void> = work
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => underWay.delete(done));
    underWay.add(done);
    return work;
  }

  function tell(batches: Batch[]): void {
    if (isClosed || batches.length === 0) return;
    parts.onChanged(batches);
    for (const batch of ends.note(batches)) parts.onEnded(batch);
  }

  async function submit({ draft, inputs, name }: BatchRequest): Promise<Result<BatchSubmission>> {
    const baseUrl = await parts.baseUrlOf(draft.connectionId);
    if (!baseUrl.ok) return baseUrl;
    const s3ProfileId = draft.s3ProfileId ?? null;
    const s3Config = s3ProfileId === null ? ok(null) : await parts.s3Config(s3ProfileId);
    if (!s3Config.ok) return s3Config;
    const common: Omit<StoredSubmission, 'inputText'> = {
      policy: draft.policy ?? {},
      webhook: draft.webhook?.trim() || null,
      waitMs: draft.operation === 'runsync' ? (draft.waitMs ?? null) : null,
      s3ProfileId,
    };

    const batchId = parts.newKey();
    // Each row is sent with an address of its own, and all are of one length.
    const webhook = common.webhook === null ? null : parts.callbackFor(common.webhook, batchId);
    const refused: RefusedRow[] = [];
    await inParts(inputs, (slice, from) => {
      for (const [index, inputText] of slice.entries()) {
        const checked = checkSubmission({
          operation: draft.operation,
          ...common,
          webhook,
          inputText,
          s3Config: s3Config.value,
        });
        if (!checked.ok && refused.length < mostRefusedShown)
          refused.push({ row: from + index + 1, message: checked.failure.message });
      }
    });
    if (refused.length > 0) return ok({ kind: 'refused', rows: refused });

    const { connectionId, endpointId, operation } = draft;
    const record: BatchRecord = { id: batchId, name, connectionId, endpointId, operation, createdAtMs: clock.now() };
    const created: JobState[] = [];
    try {
      await inParts(inputs, async (slice, from) => {
        const rows: JobCommit[] = slice.map((inputText, index) => {
          const state = newJob(
            {
              key: parts.newKey(),
              connectionId,
              endpointId,
              operation,
              baseUrl: baseUrl.value,
              title: titleFromInput(objectOf(inputText), endpointId),
              tags: [...new Set(draft.tags ?? [])],
              policy: common.policy,
              inputBytes: bodyBytes(inputText),
              phase: 'waiting',
              note: null,
              batchId: record.id,
              batchRow: from + index + 1,
              ...(draft.isKeptWhole === false ? { isKeptWhole: false } : {}),
            },
            record.createdAtMs,
          );
          created.push(state);
          return { job: state.job, submission: { ...common, inputText }, attempt: state.attempt };
        });
        await history.stageBatchRows(record.id, rows);
      });
      if (isClosed) {
        await history.dropStagedBatch(record.id);
        return failed(closing);
      }
      await ledger.createMany(created, () => history.insertBatch(record, created.length));
    } catch (error) {
      return failed({
        kind: 'storage',
        message: `Nothing was sent, because the rows could not be written down first. ${errorText(error)}`,
      });
    }
    parts.wake();
    const [batch] = await history.batchesById([record.id]);
    if (batch === undefined) return failed(absent);
    // As it was born: a short one may be over by now.
    ends.note([{ ...batch, counts: { ...batch.counts, waiting: batch.total } }]);
    tell([batch]);
    return ok({ kind: 'taken', batch });
  }

  async function setPaused(id: string, isPaused: boolean): Promise<Result<Batch>> {
    const wasPaused = paused.has(id);
    // At once: a row may be about to leave.
    if (isPaused) paused.add(id);
    try {
      const batch = await history.setBatchPaused(id, isPaused);
      if (batch === null) {
        paused.delete(id);
        return failed(absent);
      }
      if (!isPaused) paused.delete(id);
      tell([batch]);
      parts.wake();
      return ok(batch);
    } catch (error) {
      if (!wasPaused) paused.delete(id);
      throw error;
    }
  }

  async function withdraw(id: string): Promise<Result<Batch>> {
    const [batch] = await history.batchesById([id]);
    if (batch === undefined) return failed(absent);
    try {
      // On disk first: should Jobdeck end half-way, the rest is not sent at the next start.
      const held = await setPaused(id, true);
      if (!held.ok) return held;
      withdrawn.add(id);
      const keys = [...ledger.outbox()].filter(({ batchId }) => batchId === id).flatMap((queue) => queue.keys);
      await inParts(
        keys,
        async (slice) => void (await Promise.all(slice.map((key) => ledger.change(key, [{ kind: 'withdrawn' }])))),
      );
      return await setPaused(id, false);
    } catch (error) {
      withdrawn.delete(id);
      throw error;
    }
  }

  async function submitFailed(id: string): Promise<Result<BatchSubmission>> {
    const [batch] = await history.batchesById([id]);
    if (batch === undefined) return failed(absent);
    if (failedRows(batch) === 0)
      return failed({ kind: 'refused', message: 'No row of this batch failed or was refused.' });
    const inputs: string[] = [];
    let firstKey: string | null = null;
    let afterKey: string | null = null;
    for (;;) {
      const page: BatchRow[] = await history.batchRows(id, afterKey, 500);
      const last = page.at(-1);
      if (last === undefined) break;
      for (const { job, inputText } of page) {
        const state = batchStateOf(job);
        if (state !== 'failed' && state !== 'refused') continue;
        firstKey ??= job.key;
        inputs.push(inputText);
      }
      afterKey = last.job.key;
    }
    const stored = firstKey === null ? null : await history.get(firstKey);
    if (stored === null) return failed(absent);
    const { submission, job } = stored;
    return await submit({
      name: againName(batch.name),
      inputs,
      draft: {
        connectionId: batch.connectionId,
        endpointId: batch.endpointId,
        operation: batch.operation,
        policy: submission.policy,
        tags: job.tags,
        ...(submission.waitMs === null ? {} : { waitMs: submission.waitMs }),
        ...(submission.webhook === null ? {} : { webhook: submission.webhook }),
        ...(submission.s3ProfileId === null ? {} : { s3ProfileId: submission.s3ProfileId }),
        ...(job.isKeptWhole === false ? { isKeptWhole: false } : {}),
      },
    });
  }

  function tellSoon(): void {
    if (isTelling || isClosed) return;
    isTelling = true;
    clock.after(tellEveryMs, () => {
      const ids = [...changed];
      changed.clear();
      isTelling = false;
      if (isClosed || ids.length === 0) return;
      history.batchesById(ids).then(tell, parts.onTrouble);
    });
  }

  return {
    async start() {
      for (const id of await history.pausedBatches()) paused.add(id);
      ends.note(await history.batches(null));
    },
    submit: (request) => following(submit(request)),
    list: async (connectionId) => ok(await history.batches(connectionId)),
    setPaused: (id, isPaused) => following(setPaused(id, isPaused)),
    withdraw: (id) => following(withdraw(id)),
    submitFailed: (id) => following(submitFailed(id)),
    isPaused: (id) => paused.has(id) || withdrawn.has(id),
    noteChanges(changes) {
      for (const { before, after } of changes) {
        if (after.batchId === null) continue;
        changed.add(after.batchId);
        const isBack = before?.phase === 'submitting' && after.phase === 'waiting' && withdrawn.has(after.batchId);
        if (isBack) ledger.change(after.key, [{ kind: 'withdrawn' }]).catch(parts.onTrouble);
      }
      if (changed.size > 0) tellSoon();
    },
    close() {
      isClosed = true;
    },
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

/** Does `work` over `all` in parts, each in a turn of the event loop of its own, so that nothing else waits for it. */
async function inParts(
  all: readonly string[],
  work: (slice: readonly string[], from: number) => void | Promise<void>,
): Promise<void> {
  for (let from = 0; from < all.length;) {
    let to = from;
    for (let chars = 0; to < all.length && to - from < atOnce.rows && (to === from || chars < atOnce.chars); to += 1)
      chars += all[to]?.length ?? 0;
    await work(all.slice(from, to), from);
    from = to;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

const absent: Failure = { kind: 'absent', message: 'This batch is not in the history any more.' };
const closing: Failure = {
  kind: 'refused',
  message: 'Nothing was sent, because Jobdeck is closing. Nothing of the batch was kept.',
};

/** `Evaluation` becomes `Evaluation, again`, and that `Evaluation, again 2`. */
function againName(name: string): string {
  const [, first = name, count] = /^(.*), again(?: (\d+))?$/.exec(name) ?? [];
  const isAgain = first !== name;
  return `${first.slice(0, 100)}, again${isAgain ? ` ${Number(count ?? 1) + 1}` : ''}`;
}

function objectOf(inputText: string): Record<string, unknown> {
  const value: unknown = JSON.parse(inputText);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
