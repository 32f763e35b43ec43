import type { Rental } from './hardware.ts';
import type { NetworkVolume, Pod } from './pod.ts';
import type { TemplateSettings, Template } from './template.ts';
import type { Checked } from '../checked.ts';
import { createSeededRandom, seedFromText } from '../seeded-random.ts';
import type { Dialect } from '../specification.ts';
import { isoTimestamp, oddTimestamp, statusChange } from './field-forms.ts';

/** What a pod's container is made from. A pod that was made from a template keeps its own copy. */
export type ContainerSettings = Omit<TemplateSettings, 'name' | 'readme' | 'isPublic'>;

/** A plan that covers all GPUs of its pod for a while, at a price per hour. */
interface SavingsTerm {
  id: string;
  costPerHr: number;
  startMs: number;
  endMs: number;
}

/** A pod as the sandbox keeps it. What clients see of it depends on the time; see `viewPod`. */
export interface PodRecord extends Pick<
  Pod,
  | 'id'
  | 'name'
  | 'desiredStatus'
  | 'consumerUserId'
  | 'endpointId'
  | 'interruptible'
  | 'locked'
  | 'slsVersion'
  | 'templateId'
  | 'volumeEncrypted'
> {
  container: ContainerSettings;
  rental: Rental;
  networkVolume: NetworkVolume | null;
  savings: SavingsTerm | null;
  lastStartedAtMs: number;
  /** The latest event of its life, apart from the end of the initialisation. */
  lastChange: { event: string; atMs: number };
  /** When it gets its public address. Infinity while that is unknown. */
  initializedAtMs: number;
  /** In the observed dialect its start is written in the field's other form (ruling 29). */
  hasOddTimestamp: boolean;
}

/** What most pods have in common. */
export const PLAIN_POD = {
  desiredStatus: 'RUNNING',
  endpointId: null,
  interruptible: false,
  locked: false,
  slsVersion: null,
  templateId: null,
  volumeEncrypted: false,
  networkVolume: null,
  savings: null,
  initializedAtMs: 0,
  hasOddTimestamp: false,
} as const satisfies Partial<PodRecord>;

/** The container of a pod that is made from a template now. Later updates of the template do not change it. */
export function containerOf(template: ContainerSettings): ContainerSettings {
  const {
    containerDiskInGb,
    containerRegistryAuthId,
    dockerEntrypoint,
    dockerStartCmd,
    env,
    imageName,
    ports,
    volumeInGb,
    volumeMountPath,
  } = template;
  return {
    containerDiskInGb,
    containerRegistryAuthId,
    dockerEntrypoint,
    dockerStartCmd,
    env,
    imageName,
    ports,
    volumeInGb,
    volumeMountPath,
  };
}

/** Spec: Get a pod, the query flags. */
const POD_INCLUDES = [
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

/** The public side of a pod: one address with a port for each tcp port (http ports use a proxy). */
function addressOf({ id, container }: PodRecord): Pick<Pod, 'publicIp' | 'portMappings'> {
  const random = createSeededRandom(seedFromText(id));
  // 100.64.0.0/10 is never routed: a client that uses the address reaches nothing.
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

/**
 * The pod as a client sees it now (spec: Pod): every field of the table, and the included ones only with their flag.
 */
export function viewPod(record: PodRecord, options: PodViewOptions): Pod {
  const { includes, dialect, nowMs, findTemplate, workers } = options;
  const { container, rental, savings, desiredStatus, endpointId, lastStartedAtMs } = record;
  const isReachable = desiredStatus === 'RUNNING' && nowMs >= record.initializedAtMs;
  // A terminated pod has left its host.
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
    containerRegistryAuthId: container.containerRegistryAuthId || null,
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
