import { isoTimestamp, stableId } from './field-forms.ts';
import {
  A100,
  CPU3C,
  credits,
  CZECHIA,
  KANSAS,
  L4,
  MI300X,
  MONTREAL,
  rentCpu,
  rentGpu,
  ROMANIA,
  RTX_4090,
  type Rental,
} from './hardware.ts';
import { containerOf, PLAIN_POD, type PodRecord, type ContainerSettings } from './pod-view.ts';
import { CPU_WORKBENCH, IMAGE_STUDIO, PYTORCH, ROCM, rentForWorker } from './template-catalogue.ts';
import type { WorkerInfo } from '../workers/one-worker.ts';
import type { Template } from './template.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How long the initialising pod takes to get its public address. */
const INITIALIZATION_MS = 20 * SECOND_MS;

/** Spec: Limits, pod name length. */
const POD_NAME_MAX_LENGTH = 191;

const SANDBOX_USER_ID = `user_${stableId('user', 'sandbox')}`;

function rented(startedAtMs: number): Pick<PodRecord, 'lastStartedAtMs' | 'lastChange'> {
  return { lastStartedAtMs: startedAtMs, lastChange: { event: 'Rented by User', atMs: startedAtMs } };
}

/** A machine with announced maintenance. */
function withMaintenance(rental: Rental, startMs: number): Rental {
  const announcement = {
    maintenanceStart: isoTimestamp(startMs),
    maintenanceEnd: isoTimestamp(startMs + 4 * HOUR_MS),
    maintenanceNote: 'The power supply is replaced; pods are stopped during the work.',
    note: 'Host with liquid cooling',
  };
  return { ...rental, machine: { ...rental.machine, ...announcement } };
}

/** Running on a network volume, from a public template, with a savings plan. */
function training(startMs: number): PodRecord {
  const id = stableId('pod', 'training');
  const count = 2;
  return {
    ...PLAIN_POD,
    ...rented(startMs - 6 * DAY_MS - 3 * HOUR_MS),
    id,
    name: 'zebrafish training',
    consumerUserId: SANDBOX_USER_ID,
    container: { ...containerOf(PYTORCH), volumeInGb: 0, env: { ...PYTORCH.env, RUN_NAME: 'zebrafish-17' } },
    templateId: PYTORCH.id,
    rental: rentGpu({ model: A100, count, place: ROMANIA, key: 'training' }),
    networkVolume: { id: stableId('networkVolume', 'datasets'), name: 'datasets', size: 500, dataCenterId: ROMANIA.id },
    savings: {
      id: stableId('savingsPlan', 'training'),
      costPerHr: credits(A100.type.sixMonthPrice * count),
      startMs: startMs - 6 * DAY_MS,
      endMs: startMs + 176 * DAY_MS,
    },
  };
}

/** A community host's interruptible GPU, from the user's own template. */
function spot(startMs: number): PodRecord {
  return {
    ...PLAIN_POD,
    ...rented(startMs - 47 * MINUTE_MS),
    id: stableId('pod', 'spot'),
    name: 'image studio (spot)',
    consumerUserId: SANDBOX_USER_ID,
    container: containerOf(IMAGE_STUDIO),
    templateId: IMAGE_STUDIO.id,
    rental: rentGpu(
      { model: RTX_4090, count: 1, place: MONTREAL, key: 'spot' },
      { isSecure: false, isInterruptible: true },
    ),
    interruptible: true,
    hasOddTimestamp: true,
  };
}

/** A CPU pod that its user has stopped. */
function stopped(startMs: number): PodRecord {
  return {
    ...PLAIN_POD,
    id: stableId('pod', 'stopped'),
    name: 'data preparation',
    desiredStatus: 'EXITED',
    consumerUserId: SANDBOX_USER_ID,
    container: { ...containerOf(CPU_WORKBENCH), volumeInGb: 20 },
    templateId: CPU_WORKBENCH.id,
    rental: rentCpu({ flavor: CPU3C, vcpuCount: 8, place: CZECHIA, key: 'stopped' }),
    lastStartedAtMs: startMs - 29 * HOUR_MS,
    lastChange: { event: 'Exited by User', atMs: startMs - 26 * HOUR_MS },
  };
}

/** A terminated pod, with the longest possible name and no template. */
function terminated(startMs: number): PodRecord {
  return {
    ...PLAIN_POD,
    id: stableId('pod', 'terminated'),
    name: 'ablation over learning rate, warm-up, batch size and augmentation, '.repeat(3).slice(0, POD_NAME_MAX_LENGTH),
    desiredStatus: 'TERMINATED',
    consumerUserId: SANDBOX_USER_ID,
    container: { ...containerOf(PYTORCH), env: {}, ports: [] },
    rental: rentGpu({ model: L4, count: 1, place: KANSAS, key: 'terminated' }),
    lastStartedAtMs: startMs - 9 * DAY_MS,
    lastChange: { event: 'Terminated by User', atMs: startMs - 2 * DAY_MS },
  };
}

/** A locked pod, on an encrypted volume, its machine due for maintenance. */
function locked(startMs: number): PodRecord {
  return {
    ...PLAIN_POD,
    ...rented(startMs - 31 * DAY_MS),
    id: stableId('pod', 'locked'),
    name: 'évaluation de référence 🐟',
    consumerUserId: SANDBOX_USER_ID,
    container: containerOf(ROCM),
    templateId: ROCM.id,
    rental: withMaintenance(rentGpu({ model: MI300X, count: 4, place: CZECHIA, key: 'locked' }), startMs + 3 * DAY_MS),
    locked: true,
    volumeEncrypted: true,
  };
}

/** Rented when the sandbox started: it gets its public address later. */
function initializing(startMs: number): PodRecord {
  return {
    ...PLAIN_POD,
    ...rented(startMs),
    id: stableId('pod', 'initializing'),
    name: 'fresh pod',
    consumerUserId: SANDBOX_USER_ID,
    container: containerOf(PYTORCH),
    templateId: PYTORCH.id,
    rental: rentGpu({ model: RTX_4090, count: 1, place: ROMANIA, key: 'initializing' }),
    initializedAtMs: startMs + INITIALIZATION_MS,
  };
}

/**
 * The pods of every sandbox, one for each case of the specification. Their times are around `startMs`, the sandbox's
 * first start.
 */
export function cataloguePods(startMs: number): PodRecord[] {
  return [training, spot, stopped, terminated, locked, initializing].map((create) => create(startMs));
}

/** What the management interface reads of an endpoint. */
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
  /** Call it before an endpoint is released: workers of its present version keep their container. */
  keepFormer(endpoint: ManagedEndpoint, former: Template): void;
}

/** The container of workers up to a version. */
interface FormerContainer {
  lastVersion: number;
  container: ContainerSettings;
}

interface WorkerPodsInput {
  endpoints: readonly ManagedEndpoint[];
  templateOf(endpointId: string): Template;
}

/** Serverless workers as pods (spec: Pod, endpointId and slsVersion). They exist as long as the endpoint's workers. */
export function createWorkerPods({ endpoints, templateOf }: WorkerPodsInput): WorkerPods {
  /** By endpoint, oldest first. */
  const formers = new Map<string, FormerContainer[]>();

  /** A busy worker of an older version stays in its old container until its job is done. */
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
