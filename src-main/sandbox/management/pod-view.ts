import type { Checked } from '../checked.ts';
import { createSeededRandom, seedFromText } from '../seeded-random.ts';
import type { Dialect } from '../specification.ts';
import { isoTimestamp, oddTimestamp, statusChange } from './field-forms.ts';
import type { Pod } from './pod.ts';
import type { PodRecord } from './pod-record.ts';
import type { Template } from './template.ts';

/** Spec: Get a pod, the query flags. */
export const POD_INCLUDES = [
  'includeMachine',
  'includeNetworkVolume',
  'includeSavingsPlans',
  'includeTemplate',
  'includeWorkers',
] as const;

export type PodInclude = (typeof POD_INCLUDES)[number];

/** The flags that are on. Each is `true` or `false`, once; parameters of other names are ignored. */
export function checkIncludes(query: URLSearchParams): Checked<ReadonlySet<PodInclude>> {
  const includes = new Set<PodInclude>();
  for (const flag of POD_INCLUDES) {
    const [value = 'false', ...more] = query.getAll(flag);
    if (more.length > 0) return { ok: false, message: `${flag} must be given once at most.` };
    if (value !== 'true' && value !== 'false') return { ok: false, message: `${flag} must be true or false.` };
    if (value === 'true') includes.add(flag);
  }
  return { ok: true, value: includes };
}

export interface PodViewOptions {
  includes: ReadonlySet<PodInclude>;
  dialect: Dialect;
  nowMs: number;
  findTemplate(templateId: string): Template | undefined;
  /** All pods that are serverless workers at this moment. */
  workers(): PodRecord[];
}

const FIRST_PUBLIC_PORT = 10_000;
const PUBLIC_PORT_COUNT = 50_000;

/** The public side of a pod: one address, and for each tcp port one port there (http ports go through a proxy). */
function addressOf({ id, container }: PodRecord): Pick<Pod, 'publicIp' | 'portMappings'> {
  const random = createSeededRandom(seedFromText(id));
  // 100.64.0.0/10 is never routed: a client that follows the address reaches nobody.
  const part = (from: number, to: number): number => from + Math.floor(random() * (to - from));
  const publicIp = `100.${part(64, 128)}.${part(0, 256)}.${part(1, 255)}`;
  const firstPort = Math.floor(random() * PUBLIC_PORT_COUNT);
  const tcpPorts = container.ports
    .filter((entry) => entry.endsWith('/tcp'))
    .map((entry) => entry.split('/', 1)[0] ?? '');
  const portMappings = Object.fromEntries(
    tcpPorts.map((port, index) => [port, FIRST_PUBLIC_PORT + ((firstPort + index) % PUBLIC_PORT_COUNT)]),
  );
  return { publicIp, portMappings };
}

function describeLastChange({ lastChange, initializedAtMs, desiredStatus }: PodRecord, nowMs: number): string {
  if (desiredStatus !== 'RUNNING') return statusChange(lastChange.event, lastChange.atMs);
  if (nowMs < initializedAtMs) return statusChange(`${lastChange.event}, initializing`, lastChange.atMs);
  return initializedAtMs > lastChange.atMs
    ? statusChange('Initialized', initializedAtMs)
    : statusChange(lastChange.event, lastChange.atMs);
}

/** The pod as a client sees it now (spec: Pod). Every field of the table; the included ones only with their flag. */
export function viewPod(record: PodRecord, options: PodViewOptions): Pod {
  const { includes, dialect, nowMs, findTemplate, workers } = options;
  const { container, rental, savings, desiredStatus, endpointId, lastStartedAtMs } = record;
  const isReachable = desiredStatus === 'RUNNING' && nowMs >= record.initializedAtMs;
  // A pod that was terminated has left its host.
  const isOnHost = desiredStatus !== 'TERMINATED';
  const activePlan = savings !== null && savings.startMs <= nowMs && nowMs < savings.endMs ? savings : null;
  const isOdd = dialect === 'observed' && record.hasOddTimestamp;

  const pod: Pod = {
    id: record.id,
    name: record.name,
    desiredStatus,
    image: container.imageName,
    adjustedCostPerHr: activePlan?.costPerHr ?? rental.costPerHr,
    costPerHr: dialect === 'observed' ? String(rental.costPerHr) : rental.costPerHr,
    consumerUserId: record.consumerUserId,
    containerDiskInGb: container.containerDiskInGb,
    containerRegistryAuthId: container.containerRegistryAuthId,
    cpuFlavorId: rental.cpuFlavorId,
    dockerEntrypoint: container.dockerEntrypoint,
    dockerStartCmd: container.dockerStartCmd,
    endpointId,
    aiApiId: endpointId,
    env: container.env,
    gpu: rental.gpu,
    interruptible: record.interruptible,
    lastStartedAt: isOdd ? oddTimestamp(lastStartedAtMs) : isoTimestamp(lastStartedAtMs),
    lastStatusChange: describeLastChange(record, nowMs),
    locked: record.locked,
    machineId: isOnHost ? rental.machineId : null,
    memoryInGb: rental.memoryInGb,
    ports: container.ports,
    ...(isReachable ? addressOf(record) : { publicIp: null, portMappings: {} }),
    slsVersion: record.slsVersion,
    templateId: record.templateId,
    vcpuCount: rental.vcpuCount,
    volumeEncrypted: record.volumeEncrypted,
    volumeInGb: container.volumeInGb,
    volumeMountPath: container.volumeMountPath,
  };
  if (includes.has('includeMachine')) pod.machine = isOnHost ? rental.machine : null;
  if (includes.has('includeNetworkVolume')) pod.networkVolume = record.networkVolume;
  if (includes.has('includeSavingsPlans')) {
    pod.savingsPlans =
      activePlan === null
        ? []
        : [
            {
              costPerHr: activePlan.costPerHr,
              endTime: isoTimestamp(activePlan.endMs),
              gpuTypeId: rental.gpu?.id ?? '',
              id: activePlan.id,
              podId: record.id,
              startTime: isoTimestamp(activePlan.startMs),
            },
          ];
  }
  if (includes.has('includeTemplate'))
    pod.template = record.templateId === null ? null : (findTemplate(record.templateId) ?? null);
  if (includes.has('includeWorkers')) {
    const ownIncludes = new Set(includes);
    ownIncludes.delete('includeWorkers');
    pod.workers = workers().map((worker) => viewPod(worker, { ...options, includes: ownIncludes }));
  }
  return pod;
}
