import { alertRule, alertRuleDraft } from './alert-schema.ts';
import type { AlertOverview, AlertRecord } from './alert.ts';
import { call, ofConnection, ofEndpoint } from './call-spec.ts';
import { limitsChange, rateChange } from './cost-schema.ts';
import type { EndpointCost, EndpointCostSums, ViewCost } from './cost.ts';
import type { EndpointDiagnosis } from './diagnosis.ts';
import type { Failure } from './failure.ts';
import type { Health, HealthReadFailure, HealthSeries, HealthTrend, JobTimings } from './health.ts';
import { jobFilter } from './history-schema.ts';
import type { Purge, PurgeLog, PurgePreview } from './purge.ts';
import { z } from 'zod';

/** `isFresh`: the health is read for it. Otherwise it is the last reading. */
const previewOf = ofEndpoint.extend({ isFresh: z.boolean() });

/**
 * The order to purge. `typed` is the endpoint's name or id as entered; `expected` is the number of waiting jobs in the
 * preview.
 */
const purgeOrder = ofEndpoint.extend({
  typed: z.string().max(500),
  expected: z.number().min(0).nullable(),
});

/** A purge that was sent from here. */
const ofPurge = z.object({ id: z.string().min(1).max(400) });

/** Which purge's jobs to submit again, and how. */
const purgeAgain = ofPurge.extend({ as: z.enum(['jobs', 'batch']) });

/** The calls of the contract about endpoints: health, alerts, purges and costs. */
export const endpointCalls = {
  /** The saved points of an endpoint (null: of each endpoint of the connection) since `sinceMs`, oldest first. */
  'health:series': call<HealthSeries[]>()(
    ofConnection.extend({ endpointId: z.string().max(200).nullable(), sinceMs: z.number().min(0) }),
  ),
  /**
   * Delay and execution times of saved jobs that ended since `sinceMs`: of an endpoint (null: of each, and then of all
   * together).
   */
  'health:timings': call<JobTimings[]>()(
    ofConnection.extend({ endpointId: z.string().max(200).nullable(), sinceMs: z.number().min(0) }),
  ),
  /** What is wrong with a connection's endpoints, as last diagnosed. */
  'health:diagnoses': call<EndpointDiagnosis[]>()(ofConnection),
  /** Hides an endpoint's diagnosis until then. Null shows it again. */
  'health:mute': call<EndpointDiagnosis>()(
    ofConnection.extend({ endpointId: z.string().max(200), untilMs: z.number().min(0).nullable() }),
  ),
  /**
   * The endpoints whose health this window shows, which is read every few seconds. Replaces the former ones; an empty
   * list ends it.
   */
  'health:watch': call<null>()(ofConnection.extend({ endpointIds: z.array(z.string().min(1).max(200)).max(200) })),
  'health:latest': call<{ health: Health[]; trends: HealthTrend[]; failures: HealthReadFailure[] }>()(ofConnection),
  /**
   * Reads the health of a connection's endpoints once. The readings are sent as `health:changed`. At most one read per
   * second and endpoint (ruling 20).
   */
  'health:refresh': call<null>()(ofConnection),
  /** A connection's alert rules and their states. */
  'alert:list': call<AlertOverview>()(ofConnection),
  'alert:saveRule': call<AlertOverview>()(alertRuleDraft),
  'alert:removeRule': call<AlertOverview>()(ofConnection.extend({ ruleId: z.string().max(64) })),
  /** Restores a deleted rule at its place in the list. */
  'alert:restoreRule': call<AlertOverview>()(
    ofConnection.extend({ rule: alertRule, place: z.number().int().min(0).max(1_000) }),
  ),
  /**
   * Switches a rule on or off. A rule for all endpoints is switched at `endpointId` only or, with null, at all of them.
   */
  'alert:setOn': call<AlertOverview>()(
    ofConnection.extend({ ruleId: z.string().max(64), endpointId: z.string().max(200).nullable(), isOn: z.boolean() }),
  ),
  /** Past alerts, newest first: those before `beforeId`, or, with null, from the newest. */
  'alert:history': call<AlertRecord[]>()(
    ofConnection.extend({
      endpointId: z.string().max(200).nullable(),
      beforeId: z.string().max(64).nullable(),
      limit: z.number().int().min(1).max(500),
    }),
  ),
  /** What a purge of the endpoint's queue would remove now. Sends no request, unless the health is to be read again. */
  'purge:preview': call<PurgePreview>()(previewOf),
  /**
   * Purges the queue with one request, which is never repeated. Refused while locked, and unless `typed` names the
   * endpoint.
   */
  'purge:send': call<Purge>()(purgeOrder),
  /** Purges of the endpoint that were sent from here, newest first. */
  'purge:log': call<PurgeLog>()(ofEndpoint),
  /** What a purge came to is not shown again until there is another. */
  'purge:dismiss': call<null>()(ofPurge),
  /** Submits the saved inputs of a purge's jobs again. `failure`: why some were not submitted. */
  'purge:submitAgain': call<{ submitted: number; failure: Failure | null }>()(purgeAgain),

  /** The rates and limits of endpoints that have any. Null for all connections. */
  'cost:list': call<EndpointCost[]>()(z.object({ connectionId: z.string().max(64).nullable() })),
  'cost:setRate': call<EndpointCost>()(rateChange),
  'cost:setLimits': call<EndpointCost>()(limitsChange),
  /** The total cost of the jobs of a list. */
  'cost:ofFilter': call<ViewCost>()(z.object({ filter: jobFilter })),
  'cost:ofEndpoint': call<EndpointCostSums>()(ofEndpoint),
} as const;
