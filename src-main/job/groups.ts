import type { Job } from '../../src-preload/job.ts';
import { openGate } from './plan/health-gate.ts';
import type { HealthGate } from './plan/health-gate.ts';
import type { PlannedGroup } from './plan/plan.ts';

/** An endpoint at the address its jobs were sent to. */
export interface Group {
  id: string;
  connectionId: string;
  baseUrl: string;
  endpointId: string;
  gate: HealthGate;
  isHealthBusy: boolean;
  /** When its health last answered with a record, so that the endpoint is known to exist. */
  knownAtMs: number | null;
  /** When a look at one of its jobs was last answered, whatever was said. */
  answeredAtMs: number | null;
  /** When its health last got no answer at all. */
  healthLostAtMs: number | null;
  /** See PlannedGroup. */
  errorsMs: readonly number[];
}

export interface Groups {
  of(job: Pick<Job, 'connectionId' | 'baseUrl' | 'endpointId'>): Group;
  find(id: string): Group | null;
  all(): Iterable<Group>;
  /** Forgets what was read when, because the clock was put back: everything is read anew. */
  clockPutBack(): void;
  /** For the schedule. */
  planned(): ReadonlyMap<string, PlannedGroup>;
}

export function groupIdOf(job: Pick<Job, 'connectionId' | 'baseUrl' | 'endpointId'>): string {
  return `${job.connectionId}\n${job.baseUrl}\n${job.endpointId}`;
}

const nothingRead = {
  gate: openGate,
  knownAtMs: null,
  answeredAtMs: null,
  healthLostAtMs: null,
} satisfies Partial<Group>;

export function createGroups(): Groups {
  const groups = new Map<string, Group>();
  /** Asked of every live job at every plan: a job as committed never changes, and making its id is the dear part. */
  const known = new WeakMap<object, Group>();
  return {
    of(job) {
      const found = known.get(job);
      if (found !== undefined) return found;
      const id = groupIdOf(job);
      let group = groups.get(id);
      if (group === undefined) {
        group = {
          id,
          connectionId: job.connectionId,
          baseUrl: job.baseUrl,
          endpointId: job.endpointId,
          ...nothingRead,
          isHealthBusy: false,
          errorsMs: [],
        };
        groups.set(id, group);
      }
      known.set(job, group);
      return group;
    },
    find: (id) => groups.get(id) ?? null,
    all: () => groups.values(),
    clockPutBack() {
      for (const group of groups.values()) Object.assign(group, nothingRead);
    },
    planned: () => groups,
  };
}
