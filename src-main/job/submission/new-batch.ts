import { noBatchLimits, type RefusedRow } from '../../../src-preload/batch.ts';
import type { BatchRequest } from '../../../src-preload/batch-schema.ts';
import { failed, ok, type Result } from '../../../src-preload/failure.ts';
import type { Job } from '../../../src-preload/job.ts';
import { errorText } from '../../async/error-text.ts';
import type { BatchRecord, JobCommit, StoredSubmission } from '../../history/records.ts';
import { batchText } from '../../messages/job.ts';
import { bodyBytes, checkSubmission } from '../../service/submission-body.ts';
import type { JobContext } from '../context/job-context.ts';
import type { JobState } from '../reducer/job-event.ts';
import { newJob } from '../reducer/new-job.ts';
import type { BatchLimitWatch } from './batch-limits.ts';
import { inParts } from '../../async/turns.ts';
import { rowTitles } from './row-titles.ts';

/**
 * How many rows of a new batch are reported: as many as a list first shows. Windows read the others page by page.
 */
const maxReported = 200;
/** Further refused rows are not listed. */
const maxRefusedShown = 1_000;

export interface NewBatchParts {
  /** Gets the batch's limits before any row can leave, and loses them again if it is not saved. */
  limits: Pick<BatchLimitWatch, 'note' | 'forget'>;
  /** The newest rows of a batch that is on disk, in the tick in which the history counts them. */
  onSaved: (rows: Job[]) => void;
  isClosed: () => boolean;
  /** The job that each row is submitted again from. Empty: they are new. */
  originKeys: readonly string[];
}

/** `refused`: the rows that cannot be sent, counted from 1; nothing was saved. */
type NewBatch = { kind: 'saved'; id: string } | { kind: 'refused'; rows: RefusedRow[] };

/** What all rows of a batch are sent with. */
type CommonParts = Omit<StoredSubmission, 'inputText'>;

/**
 * Checks every row of a batch, then saves all of them as waiting jobs, or none. Resolves when they are on disk. Fails
 * without the connection or the s3 profile, if the disk refuses (`storage`), and while Jobdeck closes (`refused`).
 */
export async function saveNewBatch(
  context: JobContext,
  request: BatchRequest,
  parts: NewBatchParts,
): Promise<Result<NewBatch>> {
  const { draft, name, limits = noBatchLimits } = request;
  const { connectionId, endpointId, operation } = draft;
  const baseUrl = await context.baseUrlOf(connectionId);
  if (!baseUrl.ok) return baseUrl;
  const s3ProfileId = draft.s3ProfileId ?? null;
  const s3Config = s3ProfileId === null ? ok(null) : await context.s3Config(s3ProfileId);
  if (!s3Config.ok) return s3Config;
  const common: CommonParts = {
    policy: draft.policy ?? {},
    webhook: draft.webhook?.trim() || null,
    waitMs: operation === 'runsync' ? (draft.waitMs ?? null) : null,
    s3ProfileId,
  };
  const id = context.newKey();
  // Each row is sent with an address of its own, and all have the same length.
  const webhook = common.webhook === null ? null : context.callbackFor(common.webhook, id);
  const refused = await refusedRows(request, { operation, ...common, webhook, s3Config: s3Config.value });
  if (refused.length > 0) return ok({ kind: 'refused', rows: refused });

  const createdAtMs = context.clock.now();
  const record: BatchRecord = { id, name, connectionId, endpointId, operation, createdAtMs, limits };
  // Before any row can leave.
  parts.limits.note({ id, limits, failuresLeft: limits.stopAfterFailures });
  try {
    const { originKeys } = parts;
    const created = await stageRows(context, request, { record, baseUrl: baseUrl.value, common, originKeys });
    if (parts.isClosed()) {
      parts.limits.forget(id);
      await context.history.dropStagedBatch(id);
      return failed({ kind: 'refused', message: batchText.closing });
    }
    await context.ledger.createMany(created, async () => {
      await context.history.insertBatch(record, created.length);
      parts.onSaved(created.slice(-maxReported).map(({ job }) => job));
    });
  } catch (error) {
    parts.limits.forget(id);
    return failed({ kind: 'storage', message: batchText.couldNotSave(errorText(error)) });
  }
  return ok({ kind: 'saved', id });
}

/** The rows that the service would refuse, up to `maxRefusedShown`. */
async function refusedRows(
  { inputs }: BatchRequest,
  common: Omit<Parameters<typeof checkSubmission>[0], 'inputText'>,
): Promise<RefusedRow[]> {
  const refused: RefusedRow[] = [];
  await inParts(inputs, (slice, from) => {
    for (const [index, inputText] of slice.entries()) {
      const checked = checkSubmission({ ...common, inputText });
      if (!checked.ok && refused.length < maxRefusedShown)
        refused.push({ row: from + index + 1, message: checked.failure.message });
    }
  });
  return refused;
}

/** Makes a job of each row, and passes them to the history's thread, which saves them together later. */
async function stageRows(
  context: JobContext,
  { draft, inputs }: BatchRequest,
  of: Pick<NewBatchParts, 'originKeys'> & { record: BatchRecord; baseUrl: string; common: CommonParts },
): Promise<JobState[]> {
  const { record, baseUrl, common, originKeys } = of;
  const { id, connectionId, endpointId, operation, createdAtMs } = record;
  const titles = await rowTitles(inputs, endpointId, context.titleRuleOf?.(connectionId, endpointId));
  const created: JobState[] = [];
  await inParts(inputs, async (slice, from) => {
    const rows: JobCommit[] = slice.map((inputText, index) => {
      const originKey = originKeys[from + index];
      const state = newJob(
        {
          key: context.newKey(),
          connectionId,
          endpointId,
          operation,
          baseUrl,
          title: titles[from + index] ?? '',
          tags: [...new Set(draft.tags ?? [])],
          policy: common.policy,
          inputBytes: bodyBytes(inputText),
          phase: 'waiting',
          reason: null,
          batchId: id,
          batchRow: from + index + 1,
          ...(originKey === undefined ? {} : { originKey }),
          ...(draft.isKeptWhole === false ? { isKeptWhole: false } : {}),
        },
        createdAtMs,
      );
      created.push(state);
      return { job: state.job, submission: { ...common, inputText }, attempt: state.attempt };
    });
    await context.history.stageBatchRows(id, rows);
  });
  return created;
}
