import type { EndpointRef } from '../../src-preload/endpoint-key.ts';
import { dayMs } from '../../src-preload/durations.ts';
import { z } from 'zod';
import type { Notice } from '../../src-preload/app.ts';
import { costLimits, rateSource } from '../../src-preload/cost-schema.ts';
import {
  type CostLimits,
  type EndpointCost,
  type EndpointCostSums,
  type ViewCost,
  type CostRate,
  type RateSource,
  noCost,
  rateAt,
} from '../../src-preload/cost.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import type { JobFilter } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import { storageFailure } from '../history/storage-failure.ts';
import type { Log } from '../log.ts';
import { createSerialQueue } from '../async/queues.ts';
import { fromHistory, type History } from '../history/history.ts';
import { byName, openCollection, type Collection, type DocumentKind, type Documents } from '../history/collection.ts';
import { startOfDay } from '../../src-preload/format.ts';
import { overrunNotice, nothingNotified, type NotifiedOverruns, type Overrun } from './overrun.ts';
import { OverrunWatch, type OverrunWatchParts } from './overrun-watch.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import { costText } from '../messages/cost.ts';

export interface CostsParts {
  history: Documents & Pick<History, 'get' | 'costOfFilter' | 'costsSince'>;
  /** The current live jobs. */
  liveJobs: () => readonly Job[];
  clock: OverrunWatchParts['clock'];
  endpointName: (endpoint: EndpointRef) => string;
  onChanged: (cost: EndpointCost) => void;
  addNotice: (notice: Omit<Notice, 'atMs'>) => void;
  log: Log;
}

/** If a filter requires each job to be read, only this many of the newest are. */
const maxRead = 100_000;

const savedCost: z.ZodType<EndpointCost> = z.object({
  connectionId: z.string(),
  endpointId: z.string(),
  rates: z.array(z.object({ creditsPerHour: z.number().nullable(), sinceMs: z.number(), source: rateSource })),
  limits: costLimits,
  limitsSinceMs: z.number(),
});
const savedNotified: z.ZodType<NotifiedOverruns> = z.object({
  day: z.string().nullable(),
  jobs: z.array(z.string()),
  namedDay: z.string(),
  named: z.number(),
});

const costKind: DocumentKind<EndpointCost, EndpointRef> = { kind: 'cost', schema: savedCost, id: idOf };
/** Which overruns the user was notified of, by the same ids. */
const notifiedKind: DocumentKind<NotifiedOverruns, string> = { kind: 'cost-told', schema: savedNotified, id: byName };

/** Rates and limits of endpoints, what jobs cost by them, and a notice when a limit is passed. */
export class Costs {
  readonly #parts: CostsParts;
  readonly #savedCosts: Collection<EndpointCost, EndpointRef>;
  readonly #savedNotified: Collection<NotifiedOverruns, string>;
  /** By the endpoint's document id. */
  readonly #costs = new Map<string, EndpointCost>();
  readonly #notified = new Map<string, NotifiedOverruns>();
  readonly #watches = new Map<string, OverrunWatch>();
  /** One change at a time, because each is based on the result of the one before. */
  readonly #changes = createSerialQueue();

  constructor(parts: CostsParts) {
    this.#parts = parts;
    this.#savedCosts = openCollection(parts.history, costKind);
    this.#savedNotified = openCollection(parts.history, notifiedKind);
  }

  /** Reads the saved rates and limits, and compares the running jobs with them. */
  async start(): Promise<void> {
    const { log } = this.#parts;
    for (const { id, value: kept } of await this.#savedNotified.all()) {
      if (kept !== null) this.#notified.set(id, kept);
    }
    for (const { id, value: cost } of await this.#savedCosts.all()) {
      if (cost === null) {
        log.warn('A saved rate cannot be read', { id });
        continue;
      }
      this.#costs.set(idOf(cost), cost);
      this.#watch(cost);
    }
    this.#checkLiveJobs([...this.#costs.values()]);
  }

  /** Those of one connection's endpoints, or of all. */
  list(connectionId: string | null): EndpointCost[] {
    return [...this.#costs.values()].filter((cost) => connectionId === null || cost.connectionId === connectionId);
  }

  /** Sets or removes an endpoint's rate from now on. Returns the endpoint's costs. */
  setRate(rate: EndpointRef & RateChange): Promise<Result<EndpointCost>> {
    const { clock } = this.#parts;
    return this.#change(rate, (cost) => ({ ...cost, rates: withRate(cost.rates, rate, clock.now()) }));
  }

  /** Sets the limits of an endpoint's costs from now on. Returns the endpoint's costs. */
  setLimits({ limits, ...of }: EndpointRef & { limits: CostLimits }): Promise<Result<EndpointCost>> {
    const { clock } = this.#parts;
    return this.#change(of, (cost) => ({ ...cost, limits, limitsSinceMs: clock.now() }));
  }

  /** The total cost of the jobs that match a filter. */
  ofFilter(filter: JobFilter): Promise<Result<ViewCost>> {
    return fromHistory(this.#parts.history.costOfFilter(filter, this.list(filter.connectionId), maxRead));
  }

  /** Today since local midnight, and the last 7 and 30 days. */
  async ofEndpoint(endpointRef: EndpointRef): Promise<Result<EndpointCostSums>> {
    const nowMs = this.#parts.clock.now();
    const sincesMs = [startOfDay(nowMs), nowMs - 7 * dayMs, nowMs - 30 * dayMs];
    const { rates } = this.#costOf(endpointRef);
    const read = await fromHistory(
      this.#parts.history.costsSince(endpointRef.connectionId, endpointRef.endpointId, rates, sincesMs),
    );
    if (!read.ok) return read;
    const { sums, jobP50, jobCount } = read.value;
    const [today = noCost, days7 = noCost, days30 = noCost] = sums;
    return ok({ today, days7, days30, jobP50, jobCount });
  }

  /** Jobs that changed. */
  noteJobs(jobs: readonly Job[]): void {
    if (this.#watches.size === 0) return;
    for (const [id, ofEndpoint] of Map.groupBy(jobs, idOf)) this.#watches.get(id)?.noteJobs(ofEndpoint);
  }

  /** The connection was removed: its limits are deleted. Its rates stay, because its jobs and their costs do. */
  connectionRemoved(connectionId: string): void {
    const { log } = this.#parts;
    for (const cost of this.list(connectionId)) {
      const id = idOf(cost);
      this.#notified.delete(id);
      this.#savedNotified
        .remove(id)
        .catch((error: unknown) => log.warn('which overruns were notified could not be forgotten', { error }));
      this.#change(cost, (known) => ({ ...known, limits: noLimits })).catch((error: unknown) =>
        log.warn('limits of a removed connection could not be forgotten', { error }),
      );
    }
  }

  /** Stops watching limits, and waits for the checks in progress. */
  async close(): Promise<void> {
    for (const watch of this.#watches.values()) watch.close();
    await Promise.all([...this.#watches.values()].map((watch) => watch.idle()));
  }

  #costOf(endpointRef: EndpointRef): EndpointCost {
    const { connectionId, endpointId } = endpointRef;
    return (
      this.#costs.get(idOf(endpointRef)) ?? { connectionId, endpointId, rates: [], limits: noLimits, limitsSinceMs: 0 }
    );
  }

  #watch(cost: EndpointCost): void {
    const { history, clock, log } = this.#parts;
    const id = idOf(cost);
    const watch = new OverrunWatch({
      clock,
      cost,
      notified: this.#notified.get(id) ?? nothingNotified,
      attempts: async (key) => (await history.get(key))?.attempts ?? [],
      spentSince: async ({ connectionId, endpointId, rates }, sinceMs) =>
        (await history.costsSince(connectionId, endpointId, rates, [sinceMs])).sums[0]?.credits ?? 0,
      saveNotified: (notified) => this.#savedNotified.put(id, notified),
      onOverrun: (overrun, day) => this.#notify(cost, overrun, day),
      onTrouble: (error) => log.warn('costs could not be compared with their limits', { error }),
    });
    this.#watches.set(id, watch);
  }

  #notify(cost: EndpointCost, overrun: Overrun, day: string): void {
    const { addNotice, endpointName } = this.#parts;
    const name = endpointName(cost);
    addNotice(overrunNotice(overrun, { endpointKey: idOf(cost), endpointName: name, day }));
  }

  #change(endpointRef: EndpointRef, edited: (cost: EndpointCost) => EndpointCost): Promise<Result<EndpointCost>> {
    return this.#changes.run(() => this.#save(edited(this.#costOf(endpointRef))));
  }

  async #save(cost: EndpointCost): Promise<Result<EndpointCost>> {
    const id = idOf(cost);
    try {
      await this.#savedCosts.put(cost, cost);
    } catch (error) {
      return failed(storageFailure(this.#parts.log, costText.couldNotSave, error));
    }
    this.#costs.set(id, cost);
    const known = this.#watches.get(id);
    if (known === undefined) this.#watch(cost);
    else known.setCost(cost);
    this.#checkLiveJobs([cost]);
    this.#parts.onChanged(cost);
    return ok(cost);
  }

  /** Compares the running jobs of these endpoints with the limits, where there are any. */
  #checkLiveJobs(costs: readonly EndpointCost[]): void {
    const limited = costs.filter(({ limits }) => limits.perJob !== null || limits.perDay !== null);
    if (limited.length === 0) return;
    const live = Map.groupBy(this.#parts.liveJobs(), idOf);
    for (const cost of limited) this.#watches.get(idOf(cost))?.noteJobs(live.get(idOf(cost)) ?? []);
  }
}

const noLimits: CostLimits = { perJob: null, perDay: null };

/** The id under which an endpoint's rates are saved. */
function idOf({ connectionId, endpointId }: EndpointRef): string {
  return `${connectionId}/${endpointId}`;
}

export interface RateChange {
  /** Null removes the rate from now on. */
  creditsPerHour: number | null;
  source: RateSource;
  isForEarlier?: boolean | undefined;
}

/**
 * The rates after a change at `nowMs`, oldest first. Jobs that ended before keep their price, unless the new rate
 * applies to them too: then the former rates are dropped. The first rate applies to everything before it. Pure.
 */
export function withRate(
  rates: readonly CostRate[],
  { creditsPerHour, source, isForEarlier }: RateChange,
  nowMs: number,
): CostRate[] {
  const hasRate = rates.some((rate) => rate.creditsPerHour !== null);
  if (isForEarlier ?? !hasRate) return creditsPerHour === null ? [] : [{ creditsPerHour, sinceMs: 0, source }];
  const before = rates.filter((rate) => rate.sinceMs < nowMs);
  // Only the source changed: it is saved with the current rate.
  const last = before.at(-1);
  if (last !== undefined && rateAt(before, nowMs) === creditsPerHour)
    return [...before.slice(0, -1), { ...last, source }];
  return [...before, { creditsPerHour, sinceMs: nowMs, source }];
}

type CostCall = Extract<keyof Handlers, `cost:${string}`>;

/** Handlers of the calls about rates and costs. */
export function costHandlers(costs: Costs): Pick<Handlers, CostCall> {
  return {
    'cost:list': ({ connectionId }) => ok(costs.list(connectionId)),
    'cost:setRate': (change) => costs.setRate(change),
    'cost:setLimits': (change) => costs.setLimits(change),
    'cost:ofFilter': ({ filter }) => costs.ofFilter(filter),
    'cost:ofEndpoint': (of) => costs.ofEndpoint(of),
  };
}
