import type { Rental } from './hardware.ts';
import type { Template, TemplateSettings } from './template.ts';

/** Spec: GPU type object. Prices in credits per hour and GPU. */
export interface Gpu {
  id: string;
  count: number;
  displayName: string;
  securePrice: number;
  communityPrice: number;
  oneMonthPrice: number;
  threeMonthPrice: number;
  sixMonthPrice: number;
  oneWeekPrice: number;
  communitySpotPrice: number;
  secureSpotPrice: number;
}

/** Spec: Machine object, cpuType. */
export interface CpuType {
  id: string;
  displayName: string;
  cores: number;
  threadsPerCore: number;
  groupId: string;
}

/** Spec: Machine object. The GPU fields are null on a host without GPUs, the maintenance ones when none is planned. */
export interface Machine {
  minPodGpuCount: number;
  gpuTypeId: string | null;
  /** `count` is how many the host has in all. */
  gpuType: Gpu | null;
  cpuCount: number;
  cpuTypeId: string;
  cpuType: CpuType;
  location: string;
  dataCenterId: string;
  diskThroughputMBps: number;
  maxDownloadSpeedMbps: number;
  maxUploadSpeedMbps: number;
  supportPublicIp: boolean;
  secureCloud: boolean;
  maintenanceStart: string | null;
  maintenanceEnd: string | null;
  maintenanceNote: string | null;
  note: string | null;
  /** What the pod on it pays in all. */
  costPerHr: number;
  currentPricePerGpu: number | null;
  /** GPUs that no pod uses. */
  gpuAvailable: number;
  gpuDisplayName: string | null;
}

/** Spec: Pod, networkVolume. */
export interface NetworkVolume {
  id: string;
  name: string;
  /** GB. */
  size: number;
  dataCenterId: string;
}

/** Spec: Pod, savingsPlans. */
export interface SavingsPlan {
  costPerHr: number;
  endTime: string;
  gpuTypeId: string;
  id: string;
  podId: string;
  startTime: string;
}

/** Spec: Pod, every field of the table. Null or empty: not applicable to this pod. */
export interface Pod {
  id: string;
  name: string;
  desiredStatus: 'RUNNING' | 'EXITED' | 'TERMINATED';
  image: string;
  adjustedCostPerHr: number;
  /** A text in the observed dialect (ruling 29). */
  costPerHr: number | string;
  consumerUserId: string;
  containerDiskInGb: number;
  containerRegistryAuthId: string | null;
  cpuFlavorId: string | null;
  dockerEntrypoint: string[];
  dockerStartCmd: string[];
  endpointId: string | null;
  aiApiId: string | null;
  env: Record<string, string>;
  gpu: Gpu | null;
  interruptible: boolean;
  lastStartedAt: string;
  lastStatusChange: string;
  locked: boolean;
  machineId: string | null;
  memoryInGb: number;
  portMappings: Record<string, number>;
  ports: string[];
  publicIp: string | null;
  slsVersion: number | null;
  templateId: string | null;
  vcpuCount: number;
  volumeEncrypted: boolean;
  volumeInGb: number;
  volumeMountPath: string;
  /** With includeMachine. */
  machine?: Machine | null;
  /** With includeNetworkVolume. */
  networkVolume?: NetworkVolume | null;
  /** With includeSavingsPlans. */
  savingsPlans?: SavingsPlan[];
  /** With includeTemplate (ruling 23). */
  template?: Template | null;
  /** With includeWorkers (ruling 24). */
  workers?: Pod[];
}

/** What a pod's container is made from; a pod that was made from a template keeps its own copy. */
export type ContainerSettings = Omit<TemplateSettings, 'name' | 'readme' | 'isPublic'>;

/** A plan that covers all GPUs of its pod for a while, at a price per hour. */
export interface SavingsTerm {
  id: string;
  costPerHr: number;
  startMs: number;
  endMs: number;
}

/** A pod as the sandbox keeps it; what clients see of it depends on the time, see pod-view.ts. */
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
  /** The latest change of its life, apart from the end of the initialisation. */
  lastChange: { event: string; atMs: number };
  /** When it has its public address; Infinity while nobody knows. */
  initializedAtMs: number;
  /** Its start is written in the field's other form in the observed dialect (ruling 29). */
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

/** The container of a pod made from a template now: later updates of the template do not reach it. */
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
