import type { Template } from './template.ts';

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
interface SavingsPlan {
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
