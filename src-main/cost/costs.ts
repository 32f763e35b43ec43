import { z } from 'zod';
import type { Notice } from '../../src-preload/app.ts';
import { costLimits, rateSource } from '../../src-preload/cost-schema.ts';
import type { CostLimits, EndpointCost, EndpointCostSums, ViewCost } from '../../src-preload/cost.ts';
import { noCost } from '../../src-preload/cost.ts';
import { failed, ok } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { JobFilter } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import { errorText } from '../async/error-text.ts';
import { byName, openCollection } from '../history/collection.ts';
import type { DocumentKind, Documents } from '../history/collection.ts';
import type { History } from '../history/history.ts';
import type { Log } from '../log.ts';
import { overrunNotice } from './notice-words.ts';
import { nothingTold } from './overrun.ts';
import type { ToldOverruns } from './overrun.ts';
import { createOverrunWatch } from './overrun-watch.ts';
import type { OverrunWatch, OverrunWatchParts } from './overrun-watch.ts';
import { withRate } from './rates.ts';
import type { RateChange } from './rates.ts';

interface Endpoint {
  connectionId: string;
  endpointId: string;
}

/** Rates and limits of endpoints, what jobs cost by them, and notice of what passes a limit. */
export interface Costs {
  /** Reads what is kept, and takes up the jobs that run. */
  start(): Promise<void>;
  /** Of one connection's endpoints, or of all. */
  list(connectionId: string | null): EndpointCost[];
  setRate(change: Endpoint & RateChange): Promise<Result<EndpointCost>>;
  setLimits(change: Endpoint & { limits: CostLimits }): Promise<Result<EndpointCost>>;
  ofFilter(filter: JobFilter): Promise<Result<ViewCost>>;
  ofEndpoint(of: Endpoint): Promise<Result<EndpointCostSums>>;
  noteJobs(jobs: readonly Job[]): void;
  /** The connection is gone: its limits are forgotten. Its rates stay, because its jobs do, and what they cost. */
  connectionRemoved(connectionId: string): void;
  close(): Promise<void>;
}

export interface CostsParts {
  history: Documents & Pick<History, 'get' | 'costOfFilter' | 'costsSince'>;
  /** As last told or newer. */
  liveJobs: () => readonly Job[];
  clock: OverrunWatchParts['clock'];
  endpointName: (connectionId: string, endpointId: string) => string;
  onChanged: (cost: EndpointCost) => void;
  addNotice: (notice: Omit<Notice, 'atMs'>) => void;
  log: Log;
}

const dayMs = 86_400_000;
/** Filters that need each job looked at: of the newest so many. */
const mostLookedAt = 100_000;

const keptCost: z.ZodType<EndpointCost> = z.object({
  connectionId: z.string(),
  endpointId: z.string(),
  rates: z.array(z.object({ creditsPerHour: z.number().nullable(), sinceMs: z.number(), source: rateSource })),
  limits: costLimits,
  limitsSinceMs: z.number(),
});
const keptTold: z.ZodType<ToldOverruns> = z.object({
  day: z.string().nullable(),
  jobs: z.array(z.string()),
  namedDay: z.string(),
  named: z.number(),
});

const nameOf = ({ connectionId, endpointId }: Endpoint): string => `${connectionId}/${endpointId}`;

const costKind: DocumentKind<EndpointCost, Endpoint> = { kind: 'cost', schema: keptCost, id: nameOf };
/** By the same names. */
const toldKind: DocumentKind<ToldOverruns, string> = { kind: 'cost-told', schema: keptTold, id: byName };

export function createCosts({ history, liveJobs, clock, endpointName, onChanged, addNotice, log }: CostsParts): Costs {
  const keptCosts = openCollection(history, costKind);
  const keptOverruns = openCollection(history, toldKind);
  const costs = new Map<string, EndpointCost>();
  const told = new Map<string, ToldOverruns>();
  const watches = new Map<string, OverrunWatch>();
  let turn: Promise<unknown> = Promise.resolve();

  const costOf = ({ connectionId, endpointId }: Endpoint): EndpointCost =>
    costs.get(`${connectionId}/${endpointId}`) ?? {
      connectionId,
      endpointId,
      rates: [],
      limits: { perJob: null, perDay: null },
      limitsSinceMs: 0,
    };

  function watch(cost: EndpointCost): void {
    const name = nameOf(cost);
    const made = createOverrunWatch({
      clock,
      cost,
      told: told.get(name) ?? nothingTold,
      attempts: async (key) => (await history.get(key))?.attempts ?? [],
      spentSince: async ({ connectionId, endpointId, rates }, sinceMs) =>
        (await history.costsSince(connectionId, endpointId, rates, [sinceMs])).sums[0]?.credits ?? 0,
      keepTold: (next) => keptOverruns.put(name, next),
      onOverrun: (overrun, day) =>
        addNotice(
          overrunNotice(overrun, { name, endpointName: endpointName(cost.connectionId, cost.endpointId), day }),
        ),
      onTrouble: (error) => log.warn('costs could not be judged', { error }),
    });
    watches.set(name, made);
  }

  /** Changes one after the other: each is made from what the one before it left. */
  function change(of: Endpoint, edited: (cost: EndpointCost) => EndpointCost): Promise<Result<EndpointCost>> {
    const changed = turn.then(() => keep(edited(costOf(of))));
    turn = changed.catch(() => undefined);
    return changed;
  }

  async function keep(cost: EndpointCost): Promise<Result<EndpointCost>> {
    try {
      await keptCosts.put(cost, cost);
    } catch (error) {
      return failed({
        kind: 'storage',
        message: 'This could not be saved. Check that the disk is not full, then save again.',
        detail: errorText(error),
      });
    }
    costs.set(nameOf(cost), cost);
    const known = watches.get(nameOf(cost));
    if (known === undefined) watch(cost);
    else known.setCost(cost);
    takeUp([cost]);
    onChanged(cost);
    return ok(cost);
  }

  /** What runs there now, for those that have a limit to pass. */
  function takeUp(all: readonly EndpointCost[]): void {
    const limited = all.filter(({ limits }) => limits.perJob !== null || limits.perDay !== null);
    if (limited.length === 0) return;
    const live = Map.groupBy(liveJobs(), nameOf);
    for (const cost of limited) watches.get(nameOf(cost))?.noteJobs(live.get(nameOf(cost)) ?? []);
  }

  async function answering<T>(work: () => Promise<T>): Promise<Result<T>> {
    try {
      return ok(await work());
    } catch (error) {
      return failed({ kind: 'storage', message: errorText(error) });
    }
  }

  return {
    async start() {
      for (const { id, value: kept } of await keptOverruns.all()) {
        if (kept !== null) told.set(id, kept);
      }
      for (const { id, value: cost } of await keptCosts.all()) {
        if (cost === null) {
          log.warn('A kept rate cannot be read', { id });
          continue;
        }
        costs.set(nameOf(cost), cost);
        watch(cost);
      }
      takeUp([...costs.values()]);
    },
    list: (connectionId) =>
      [...costs.values()].filter((cost) => connectionId === null || cost.connectionId === connectionId),
    setRate: (rate) => change(rate, (cost) => ({ ...cost, rates: withRate(cost.rates, rate, clock.now()) })),
    setLimits: ({ limits, ...of }) => change(of, (cost) => ({ ...cost, limits, limitsSinceMs: clock.now() })),
    ofFilter: (filter) =>
      answering(() =>
        history.costOfFilter(
          filter,
          [...costs.values()].filter(
            (cost) => filter.connectionId === null || cost.connectionId === filter.connectionId,
          ),
          mostLookedAt,
        ),
      ),
    ofEndpoint: (of) =>
      answering(async () => {
        const nowMs = clock.now();
        const { sums, jobP50, jobCount } = await history.costsSince(of.connectionId, of.endpointId, costOf(of).rates, [
          new Date(nowMs).setHours(0, 0, 0, 0),
          nowMs - 7 * dayMs,
          nowMs - 30 * dayMs,
        ]);
        const [today = noCost, days7 = noCost, days30 = noCost] = sums;
        return { today, days7, days30, jobP50, jobCount };
      }),
    noteJobs(jobs) {
      if (watches.size === 0) return;
      for (const [name, ofEndpoint] of Map.groupBy(jobs, nameOf)) watches.get(name)?.noteJobs(ofEndpoint);
    },
    connectionRemoved(connectionId) {
      for (const cost of [...costs.values()].filter((each) => each.connectionId === connectionId)) {
        const name = nameOf(cost);
        told.delete(name);
        keptOverruns
          .remove(name)
          .catch((error: unknown) => log.warn('what was told of costs could not be forgotten', { error }));
        change(cost, (known) => ({ ...known, limits: { perJob: null, perDay: null } })).catch((error: unknown) =>
          log.warn('limits of a removed connection could not be forgotten', { error }),
        );
      }
    },
    async close() {
      for (const each of watches.values()) each.close();
      await Promise.all([...watches.values()].map((each) => each.idle()));
    },
  };
}
