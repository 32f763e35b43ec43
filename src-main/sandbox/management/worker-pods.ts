import type { WorkerInfo } from '../workers/pool-worker.ts';
import { POD_NAME_MAX_LENGTH, SANDBOX_USER_ID } from './pod-catalogue.ts';
import { containerOf, PLAIN_POD, type ContainerSettings, type PodRecord } from './pod-view.ts';
import { rentForWorker } from './template-catalogue.ts';
import type { Template } from './template.ts';

/** An endpoint, as far as management reads it. */
export interface ManagedEndpoint {
  id: string;
  /** The live workers, in any state. */
  workers(): WorkerInfo[];
  /** Goes up by one with each rolling release (ruling 31). */
  version(): number;
  /** Starts a rolling release. */
  release(): void;
  maxWorkers(): number;
}

export interface WorkerPods {
  find(podId: string): PodRecord | undefined;
  /** One pod for each live worker of every endpoint. */
  all(): PodRecord[];
  /** To be called before an endpoint is released: workers of its present version keep what they were made from. */
  keepFormer(endpoint: ManagedEndpoint, former: Template): void;
}

/** What workers up to a version were made from. */
interface FormerContainer {
  lastVersion: number;
  container: ContainerSettings;
}

/** Serverless workers as pods (spec: Pod, endpointId and slsVersion); they live and go with the endpoint's workers. */
export function createWorkerPods({
  endpoints,
  templateOf,
}: {
  endpoints: readonly ManagedEndpoint[];
  templateOf(endpointId: string): Template;
}): WorkerPods {
  /** By endpoint, oldest first. */
  const formers = new Map<string, FormerContainer[]>();

  /** A busy worker of an older version goes on in its old container until its job is done. */
  function containerOfWorker(endpointId: string, version: number, template: Template): ContainerSettings {
    const former = formers.get(endpointId)?.find(({ lastVersion }) => version <= lastVersion);
    return former?.container ?? containerOf(template);
  }

  function podOf(endpoint: ManagedEndpoint, worker: WorkerInfo): PodRecord {
    const template = templateOf(endpoint.id);
    const isStarting = worker.state === 'starting';
    return {
      ...PLAIN_POD,
      id: worker.id,
      name: `${endpoint.id} worker`.slice(0, POD_NAME_MAX_LENGTH),
      consumerUserId: SANDBOX_USER_ID,
      container: containerOfWorker(endpoint.id, worker.version, template),
      rental: rentForWorker(endpoint.id, worker.id),
      endpointId: endpoint.id,
      slsVersion: worker.version,
      templateId: template.id,
      lastStartedAtMs: worker.startedAtMs,
      lastChange: {
        event: `Started for endpoint ${endpoint.id}, at most ${endpoint.maxWorkers()} workers`,
        atMs: worker.startedAtMs,
      },
      initializedAtMs: isStarting ? Infinity : worker.startedAtMs,
    };
  }

  return {
    find: (podId) => {
      for (const endpoint of endpoints) {
        const worker = endpoint.workers().find(({ id }) => id === podId);
        if (worker !== undefined) return podOf(endpoint, worker);
      }
      return undefined;
    },
    all: () => endpoints.flatMap((endpoint) => endpoint.workers().map((worker) => podOf(endpoint, worker))),
    keepFormer: (endpoint, former) => {
      const oldestVersion = Math.min(...endpoint.workers().map(({ version }) => version));
      const stillUsed = (formers.get(endpoint.id) ?? []).filter(({ lastVersion }) => lastVersion >= oldestVersion);
      formers.set(endpoint.id, [...stillUsed, { lastVersion: endpoint.version(), container: containerOf(former) }]);
    },
  };
}
