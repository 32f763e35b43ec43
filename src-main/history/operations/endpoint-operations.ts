import type { AlertRecord } from '../../../src-preload/alert.ts';
import type { CostRate } from '../../../src-preload/cost.ts';
import type {
  FailureDetail,
  FailureOverview,
  FailuresByWorker,
  MuteChoice,
  NamedCause,
} from '../../../src-preload/failure-cause.ts';
import type { Health, HealthTrend, JobTimings } from '../../../src-preload/health.ts';
import type { RunTimes } from '../../../src-preload/history.ts';
import type { Job } from '../../../src-preload/job.ts';
import type { LearnedInputs } from '../../../src-preload/learned.ts';
import { readCause, readCauseNames, readCauses } from '../failures/causes.ts';
import { causeOfJob, mutedAmong } from '../failures/failures.ts';
import { muteCause } from '../failures/mutes.ts';
import { readFailuresByWorker } from '../failures/workers.ts';
import { readAlerts, readAlertsAtStart, writeAlert } from '../health/alerts.ts';
import type { PackedSeries } from '../health/points.ts';
import { addHealth, healthSeries, healthTrends, latestHealth } from '../health/samples.ts';
import { jobTimings, readPurged, recentEnds } from '../jobs/ended-jobs.ts';
import { readLearnedInputs } from '../jobs/learned-inputs.ts';
import { wasSentAgain } from '../jobs/lineage.ts';
import { readInputNumbers, readRunSamples, readRunTimes } from '../jobs/run-times.ts';
import { readCostsSince } from '../list/costs.ts';
import type { AlertsAtStart, CostsSince, PurgedJobs, RunSample } from '../records.ts';
import type { CallContext } from './call-context.ts';

/** What is known of an endpoint: how long its jobs run, what they cost, its health, its failures, its alerts. */
export const endpointOperations = {
  /** Learned from the newest 500 completed jobs of each endpoint. */
  runTimes: ({ db }: CallContext, connectionId: string): RunTimes[] => readRunTimes(db, connectionId),
  /** How long the newest completed jobs of an endpoint ran, with the numbers in their inputs, newest first. */
  runSamples: ({ db }: CallContext, connectionId: string, endpointId: string): RunSample[] =>
    readRunSamples(db, connectionId, endpointId),
  /** The numbers in these jobs' inputs, in order. Empty if the input has none, is not known or is large. */
  inputNumbers: ({ db }: CallContext, keys: string[]): Record<string, number>[] => readInputNumbers(db, keys),
  /** Keys and values of an endpoint's newest completed inputs. */
  learnedInputs: ({ db }: CallContext, connectionId: string, endpointId: string): LearnedInputs =>
    readLearnedInputs(db, connectionId, endpointId),
  costsSince: (
    { db, nowMs }: CallContext,
    connectionId: string,
    endpointId: string,
    rates: CostRate[],
    sincesMs: number[],
  ): CostsSince => readCostsSince(db, { connectionId, endpointId, rates, sincesMs, nowMs }),
  /** Jobs of an endpoint that ended since then, the last one first. */
  recentEnds: ({ db }: CallContext, connectionId: string, endpointId: string, sinceMs: number, limit: number): Job[] =>
    recentEnds(db, { connectionId, endpointId }, sinceMs, limit),
  /** Which of these jobs were purged. At most `maxNamed` by name. */
  purgedAmong: ({ db }: CallContext, keys: string[], maxNamed: number): PurgedJobs => readPurged(db, keys, maxNamed),
  /** Those of these jobs that were submitted again since then. */
  sentAgainAmong: ({ db }: CallContext, keys: string[], sinceMs: number): string[] =>
    keys.filter((key) => wasSentAgain(db, key, sinceMs)),

  addHealth: ({ db }: CallContext, health: Health): void => addHealth(db, health),
  latestHealth: ({ db }: CallContext, connectionId: string): Health[] => latestHealth(db, connectionId),
  healthTrends: ({ db }: CallContext, connectionId: string, sinceMs: number): HealthTrend[] =>
    healthTrends(db, connectionId, sinceMs),
  /**
   * Saved points of an endpoint (null: of each of the connection's that has any) since then, oldest first. Packed: see
   * health/points.ts.
   */
  healthSeries: (
    { db }: CallContext,
    connectionId: string,
    endpointId: string | null,
    sinceMs: number,
  ): PackedSeries[] => healthSeries(db, connectionId, endpointId, sinceMs),
  /** The times of completed jobs that ended since then, by endpoint: the last 20,000 of each. */
  jobTimings: ({ db }: CallContext, connectionId: string, endpointId: string | null, sinceMs: number): JobTimings[] =>
    jobTimings(db, connectionId, endpointId, sinceMs),

  /** The failures of a connection since then, by cause. */
  failureCauses: ({ db, nowMs }: CallContext, connectionId: string, sinceMs: number): FailureOverview =>
    readCauses(db, connectionId, sinceMs, nowMs),
  /** How often each cause failed on which worker since then. */
  failuresByWorker: ({ db, nowMs }: CallContext, connectionId: string, sinceMs: number): FailuresByWorker =>
    readFailuresByWorker(db, connectionId, sinceMs, nowMs),
  /** The causes of a connection by name, the most frequent first. */
  causeNames: ({ db }: CallContext, connectionId: string): NamedCause[] => readCauseNames(db, connectionId),
  /** The newest jobs of a cause, and what they have in common. Null if there is no such cause. */
  failureCause: ({ db }: CallContext, id: number, limit: number): FailureDetail | null => readCause(db, id, limit),
  /** The cause of a job's failure, determined now if it was not yet. Null if the job did not fail. */
  causeOfJob: ({ db }: CallContext, key: string): NamedCause | null => causeOfJob(db, key),
  muteCause: ({ db, nowMs }: CallContext, id: number, choice: MuteChoice | null): void =>
    muteCause(db, id, choice, nowMs),
  /** Those of these jobs that failed for a muted cause. */
  mutedFailures: ({ db, nowMs }: CallContext, keys: readonly string[]): string[] => mutedAmong(db, keys, nowMs),

  /** Saves an alert, inserted or replaced by id. Kept for a year, at most the newest 10,000. */
  putAlert: ({ db }: CallContext, alert: AlertRecord): void => writeAlert(db, alert),
  /** The alerts of an endpoint (null: of all of the connection), newest first, before `beforeId`. */
  alerts: (
    { db }: CallContext,
    connectionId: string,
    endpointId: string | null,
    beforeId: string | null,
    limit: number,
  ): AlertRecord[] => readAlerts(db, { connectionId, endpointId }, beforeId, limit),
  alertsAtStart: ({ db }: CallContext): AlertsAtStart => readAlertsAtStart(db),
};
