import type { Handlers } from '../../src-preload/contract.ts';
import { tagBounds } from '../../src-preload/bounds.ts';
import { parseJson, memberTexts } from '../../src-preload/json-spans.ts';
import { ok, type Result, failed } from '../../src-preload/failure.ts';
import { emptyFilter } from '../../src-preload/history.ts';
import type { Job, JobDetail, SubmissionDraft } from '../../src-preload/job.ts';
import type { Connections } from '../connection/connections.ts';
import type { S3Profiles } from '../connection/s3-profiles.ts';
import { type History, foundInHistory, fromHistory } from '../history/history.ts';
import type { Jobs } from '../job/jobs.ts';
import type { WatchedJobs } from './watched-jobs.ts';
import type { JobNews } from './job-news.ts';
import type { PrintedOutput } from './printed-output.ts';
import type { StoredJob } from '../history/records.ts';
import { readJobError } from '../service/job-error.ts';
import { rawReplyLimitBytes } from '../service/error-body.ts';
import { shallow } from '../service/shapes.ts';
import type { Connection, S3Profile } from '../../src-preload/connection.ts';
import { curlForSubmission, type CurlParts } from '../service/curl.ts';
import { codeForSubmission } from '../service/request-code.ts';
import { codeForJobRequest } from '../service/job-request-code.ts';
import { historyText } from '../messages/history.ts';
import { requestText } from '../messages/engine.ts';

/** The calls about jobs, except the one that needs a dialog. */
type JobCall = Exclude<Extract<keyof Handlers, `job:${string}`>, 'job:export'>;

/** How much of a body a window shows. Copying and saving take the whole. */
const shownBytes = 1_000_000;

/** How many labels are offered while one is entered. */
const maxLabels = 50;
const maxTags = 200;

/** How much of a dataset is copied to the clipboard. A file gets all of it. */
const copiedChars = 20_000_000;

export interface JobHandlersParts {
  jobs: Jobs;
  history: History;
  connections: Pick<Connections, 'get'>;
  s3Profiles: Pick<S3Profiles, 'list'>;
  watched: Pick<WatchedJobs, 'set'>;
  jobNews: JobNews;
  printed: Pick<PrintedOutput, 'readJob'>;
  /** The user saw these jobs. */
  onSeen: (keys: readonly string[]) => void;
  /** That was undone for these jobs, which were marked as seen at `atMs` or later. */
  onUnseen: (keys: string[], atMs: number) => Promise<void>;
  now: () => number;
}

/** Handlers of the calls about jobs. */
export function jobHandlers(parts: JobHandlersParts): Pick<Handlers, JobCall> {
  const { jobs, watched } = parts;
  return {
    'job:submit': (draft) => jobs.submit(draft),
    'job:followExternal': (wanted) => jobs.followExternal(wanted),
    'job:confirmSubmission': ({ key }) => jobs.confirmSubmission(key),
    'job:cancel': ({ key }) => jobs.cancel(key),
    'job:withdraw': ({ key }) => jobs.withdraw(key),
    'job:retry': ({ key }) => jobs.retry(key),
    'job:resubmit': ({ key }) => jobs.resubmit(key),
    'job:draft': ({ key }) => jobs.draftOf(key),
    'job:extendTtl': ({ key, ttlMs }) => jobs.extendTtl(key, ttlMs),
    'job:checkNow': ({ key }) => jobs.checkNow(key),
    'job:stopWaiting': ({ key }) => jobs.stopWaiting(key),
    'job:delete': ({ keys, isForGood }) => jobs.delete(keys, isForGood),
    'job:watch': (onView, { windowId }) => {
      watched.set(windowId, onView);
      return ok(null);
    },
    ...codeHandlers(parts),
    ...readHandlers(parts),
    ...ownFieldHandlers(parts),
  };
}

/** The calls that write a request of a job as code. */
function codeHandlers({
  jobs,
  history,
  connections,
  s3Profiles,
}: JobHandlersParts): Pick<Handlers, 'job:curl' | 'job:code' | 'job:requestCode'> {
  const sources: SubmissionSources = {
    connection: (connectionId) => connections.get(connectionId),
    s3Profiles: () => s3Profiles.list(),
  };
  return {
    'job:curl': async (input) => {
      const draft = 'draft' in input ? ok(input.draft) : await jobs.draftOf(input.key);
      const parts = draft.ok ? await submissionParts(draft.value, sources) : draft;
      return parts.ok ? ok({ command: curlForSubmission(parts.value) }) : parts;
    },
    'job:code': async ({ key, language }) => {
      const draft = await jobs.draftOf(key);
      const parts = draft.ok ? await submissionParts(draft.value, sources) : draft;
      return parts.ok ? ok({ code: codeForSubmission(parts.value, language) }) : parts;
    },
    'job:requestCode': async ({ key, request, language }) => {
      const stored = await foundInHistory(history.get(key), historyText.noJob);
      if (!stored.ok) return stored;
      const { jobId, endpointId, baseUrl, connectionId } = stored.value.job;
      if (jobId === null) return failed({ kind: 'absent', message: requestText.noJobId });
      const connection = await connections.get(connectionId);
      if (!connection.ok) return connection;
      const { authorization } = connection.value;
      const code = codeForJobRequest({ baseUrl, endpointId, jobId, authorization, request }, language);
      return code.ok ? ok({ code: code.value }) : failed({ kind: 'absent', message: code.failure });
    },
  };
}

type OwnFieldCall =
  | 'job:star'
  | 'job:tag'
  | 'job:rename'
  | 'job:judge'
  | 'job:note'
  | 'job:markSeen'
  | 'job:markUnseen';

/** The calls that change what the user notes about a job. */
function ownFieldHandlers({ jobs, jobNews, onSeen, onUnseen, now }: JobHandlersParts): Pick<Handlers, OwnFieldCall> {
  /** Sends the user's change of a job to every window. */
  const marked = async (change: Promise<Job | null>): Promise<Result<Job>> => {
    const result = await foundInHistory(change, historyText.noJob);
    if (result.ok) jobNews.changed([result.value]);
    return result;
  };
  return {
    'job:star': async ({ key, isStarred }) => {
      const result = await marked(jobs.ownFields.setStarred(key, isStarred));
      return result.ok ? ok(null) : result;
    },
    'job:tag': async ({ key, ...change }) => {
      const tagged = await fromHistory(jobs.ownFields.changeTags(key, change));
      if (!tagged.ok) return tagged;
      return tagged.value === 'too-many'
        ? failed({ kind: 'refused', message: historyText.tooManyTags(tagBounds.max), field: 'add' })
        : marked(Promise.resolve(tagged.value));
    },
    'job:rename': ({ key, title }) => marked(jobs.ownFields.rename(key, title)),
    'job:judge': ({ key, change }) => marked(jobs.ownFields.judge(key, change)),
    'job:note': async ({ key, text, over }) => {
      const written = await fromHistory(jobs.ownFields.writeNote(key, text, over));
      if (!written.ok) return written;
      return written.value === 'changed-since'
        ? failed({ kind: 'refused', message: historyText.noteChanged, field: 'over' })
        : marked(Promise.resolve(written.value));
    },
    'job:markSeen': async ({ keys }) => {
      const atMs = now();
      const result = await fromHistory(jobs.ownFields.markSeen(keys));
      if (!result.ok) return result;
      jobNews.changed(result.value);
      onSeen(keys);
      return ok({ keys: result.value.map(({ key }) => key), atMs });
    },
    'job:markUnseen': async ({ keys, atMs }) => {
      const result = await fromHistory(jobs.ownFields.markSeen(keys, false));
      if (!result.ok) return result;
      jobNews.changed(result.value);
      return await fromHistory(onUnseen(keys, atMs).then(() => null));
    },
  };
}

type ReadCall =
  | 'job:list'
  | 'job:inputs'
  | 'job:count'
  | 'job:keys'
  | 'job:some'
  | 'job:counts'
  | 'job:get'
  | 'job:body'
  | 'job:chunks'
  | 'job:findChunks'
  | 'job:streamPage'
  | 'job:printedLines'
  | 'job:requests'
  | 'job:runTimes'
  | 'job:dataset'
  | 'job:learnedInputs'
  | 'job:tags'
  | 'job:labels';

/** The calls that read saved jobs. */
function readHandlers({ history, jobNews, printed }: JobHandlersParts): Pick<Handlers, ReadCall> {
  return {
    'job:list': ({ filter, sort, beforeKey, limit }) => fromHistory(history.list(filter, beforeKey, limit, sort)),
    'job:inputs': ({ limit, ...of }) => fromHistory(history.inputs({ ...emptyFilter, ...of }, limit)),
    'job:count': ({ filter }) => fromHistory(history.countJobs(filter)),
    'job:keys': ({ filter }) => fromHistory(history.keys(filter)),
    'job:some': ({ keys }) => fromHistory(history.jobsByKeys(keys)),
    'job:counts': async () => {
      // A new day may have begun since the history last counted.
      const counted = await fromHistory(history.counts());
      return counted.ok ? ok(jobNews.counts()) : counted;
    },
    'job:get': async ({ key }) => {
      const stored = await foundInHistory(history.get(key), historyText.noJob);
      return stored.ok ? fromHistory(jobDetail(stored.value, history)) : stored;
    },
    'job:body': ({ key, part, attempt, isWhole }) =>
      foundInHistory(history.body(key, part, attempt, isWhole ? null : shownBytes), historyText.noBody),
    'job:chunks': ({ key, attempt, fromSeq, limit }) => fromHistory(history.chunks(key, attempt, fromSeq, limit)),
    'job:findChunks': ({ key, attempt, fromSeq, text }) =>
      foundInHistory(history.findChunks(key, attempt, fromSeq, text), historyText.noJob),
    'job:streamPage': ({ key, attempt, fromSeq, withMedia, run }) =>
      foundInHistory(history.streamPage(key, attempt, fromSeq, { withMedia, run }), historyText.noJob),
    'job:printedLines': ({ key }) => printed.readJob(key),
    'job:requests': ({ key }) => fromHistory(history.requests(key)),
    'job:runTimes': ({ connectionId }) => fromHistory(history.runTimes(connectionId)),
    'job:dataset': ({ keys }) => fromHistory(history.dataset(keys, copiedChars)),
    'job:learnedInputs': ({ connectionId, endpointId }) => fromHistory(history.learnedInputs(connectionId, endpointId)),
    'job:tags': () => fromHistory(history.tags(maxTags)),
    'job:labels': () => fromHistory(history.labels(maxLabels)),
  };
}

/** A saved job in the form of the detail pane. */
async function jobDetail(stored: StoredJob, history: Pick<History, 'body'>): Promise<JobDetail> {
  const { job, attempts, submission, note, lineage, alike } = stored;
  const current = attempts.find((attempt) => attempt.number === job.attempt);
  const errorText = current?.errorText ?? null;
  const reply = await history.body(job.key, 'reply', job.attempt, rawReplyLimitBytes);
  return {
    job,
    attempts,
    webhook: submission.webhook,
    waitMs: submission.waitMs,
    s3ProfileId: submission.s3ProfileId,
    note,
    lineage,
    error: errorText === null ? null : readJobError(errorText),
    ...(alike !== null && { alike }),
    extraFields: reply === null || reply.isCut ? {} : extraFieldsOf(reply.text),
  };
}

/** The fields that the service sent beyond the specification. Empty if the saved reply is not a JSON object. */
function extraFieldsOf(text: string): Record<string, unknown> {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const fields = Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'id' && name !== 'status'));
  return shallow(fields, memberTexts(text));
}

interface SubmissionSources {
  connection: (connectionId: string) => Promise<Result<Connection>>;
  s3Profiles: () => Promise<Result<S3Profile[]>>;
}

/** The parts of a draft that a command or code is generated from. */
async function submissionParts(draft: SubmissionDraft, sources: SubmissionSources): Promise<Result<CurlParts>> {
  const connection = await sources.connection(draft.connectionId);
  if (!connection.ok) return connection;
  const profiles = draft.s3ProfileId === undefined ? ok([]) : await sources.s3Profiles();
  if (!profiles.ok) return profiles;
  const profile = profiles.value.find((each) => each.id === draft.s3ProfileId);
  if (draft.s3ProfileId !== undefined && profile === undefined)
    return failed({ kind: 'absent', message: requestText.noS3Profile });
  const { baseUrl, authorization } = connection.value;
  return ok({
    baseUrl,
    authorization,
    endpointId: draft.endpointId,
    operation: draft.operation,
    inputText: draft.inputText,
    policy: draft.policy ?? {},
    webhook: draft.webhook ?? null,
    waitMs: draft.waitMs ?? null,
    s3Config:
      profile === undefined
        ? null
        : { accessId: profile.accessId, bucketName: profile.bucketName, endpointUrl: profile.endpointUrl },
  });
}
