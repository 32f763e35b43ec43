import type { Template } from './template.ts';

/** spec: Pod, desiredStatus. Others are kept verbatim. */
export type PodStatus = 'RUNNING' | 'EXITED' | 'TERMINATED' | (string & {});

/** spec: GPU type object. Prices in credits per hour. */
export interface Gpu {
  id?: string | null;
  count?: number | null;
  displayName?: string | null;
  securePrice?: number | null;
  communityPrice?: number | null;
  oneMonthPrice?: number | null;
  threeMonthPrice?: number | null;
  sixMonthPrice?: number | null;
  oneWeekPrice?: number | null;
  communitySpotPrice?: number | null;
  secureSpotPrice?: number | null;
}

/** spec: Machine object, cpuType. */
export interface CpuType {
  id?: string | null;
  displayName?: string | null;
  groupId?: string | null;
  cores?: number | null;
  threadsPerCore?: number | null;
}

/** spec: Machine object. */
export interface Machine {
  minPodGpuCount?: number | null;
  gpuTypeId?: string | null;
  gpuType?: Gpu | null;
  cpuCount?: number | null;
  cpuTypeId?: string | null;
  cpuType?: CpuType | null;
  location?: string | null;
  dataCenterId?: string | null;
  diskThroughputMBps?: number | null;
  maxDownloadSpeedMbps?: number | null;
  maxUploadSpeedMbps?: number | null;
  supportPublicIp?: boolean | null;
  secureCloud?: boolean | null;
  maintenanceStart?: string | null;
  maintenanceEnd?: string | null;
  maintenanceNote?: string | null;
  note?: string | null;
  costPerHr?: number | null;
  currentPricePerGpu?: number | null;
  gpuAvailable?: number | null;
  gpuDisplayName?: string | null;
}

/** spec: Pod, networkVolume. */
export interface NetworkVolume {
  id?: string | null;
  name?: string | null;
  /** GB. */
  size?: number | null;
  dataCenterId?: string | null;
}

/** spec: Pod, savingsPlans. Times are as the service wrote them; `readTimestamp` reads them. */
export interface SavingsPlan {
  id?: string | null;
  podId?: string | null;
  gpuTypeId?: string | null;
  costPerHr?: number | null;
  startTime?: string | null;
  endTime?: string | null;
}

/**
 * A pod as the service sent it (spec: Pod). A missing field is absent here, null is null, and numbers sent as text are
 * numbers (ruling 29). The text of the reply is in `PodReply.raw`.
 */
export interface Pod {
  id: string;
  name?: string | null;
  desiredStatus?: PodStatus | null;
  image?: string | null;
  /** Credits per hour after savings plans. */
  adjustedCostPerHr?: number | null;
  /** Credits per hour, list price. */
  costPerHr?: number | null;
  consumerUserId?: string | null;
  /** Wiped on restart. */
  containerDiskInGb?: number | null;
  containerRegistryAuthId?: string | null;
  cpuFlavorId?: string | null;
  /** Empty: the image's own ENTRYPOINT. */
  dockerEntrypoint?: string[] | null;
  /** Empty: the image's own CMD. */
  dockerStartCmd?: string[] | null;
  endpointId?: string | null;
  /** Legacy synonym for endpointId. */
  aiApiId?: string | null;
  /** Carries secrets: masked before it leaves main. */
  env?: Record<string, string> | null;
  gpu?: Gpu | null;
  /** True: cheaper, can be stopped at any time. */
  interruptible?: boolean | null;
  /** As the service wrote it; `readTimestamp` reads it. */
  lastStartedAt?: string | null;
  lastStatusChange?: string | null;
  /** True: stopping and resetting are disabled. */
  locked?: boolean | null;
  /** With includeMachine. */
  machine?: Machine | null;
  machineId?: string | null;
  memoryInGb?: number | null;
  /** With includeNetworkVolume. */
  networkVolume?: NetworkVolume | null;
  /** Internal port to public port; empty while the pod initializes. */
  portMappings?: Record<string, number> | null;
  /** `<port>/<protocol>`. */
  ports?: string[] | null;
  /** Empty until initialization completes. */
  publicIp?: string | null;
  /** With includeSavingsPlans. */
  savingsPlans?: SavingsPlan[] | null;
  /** Version of its endpoint, for serverless workers. */
  slsVersion?: number | null;
  /** With includeTemplate (ruling 23). */
  template?: Template | null;
  templateId?: string | null;
  vcpuCount?: number | null;
  volumeEncrypted?: boolean | null;
  /** Kept across restarts. */
  volumeInGb?: number | null;
  volumeMountPath?: string | null;
}

/** A pod with the rest of its reply. */
export interface PodReply {
  pod: Pod;
  /** JSON text of the listing that includeWorkers adds, shown as it came (ruling 24). Null if there is none. */
  workersJson: string | null;
  /** Fields that the specification does not name. */
  extra: Record<string, unknown>;
  /**
   * Dotted names of fields whose value is not of the form that the specification gives. They are absent from `pod`;
   * their value is in `raw`.
   */
  oddFields: string[];
  /** Raw reply. Contains env values. */
  raw: string;
}

/** spec: Get a pod, the five query flags in the order of the table. */
export const podIncludes = [
  'includeMachine',
  'includeNetworkVolume',
  'includeSavingsPlans',
  'includeTemplate',
  'includeWorkers',
] as const;
export type PodInclude = (typeof podIncludes)[number];

/**
 * Epoch milliseconds of a timestamp from the service: ISO 8601, or Go's "2026-10-04 11:09:24.633 +0000 UTC" (field
 * notes: Pod; ruling 29). Null if it is neither. Without a zone it is UTC (spec: Pod, lastStartedAt).
 */
export function readTimestamp(text: string): number | null {
  const parts = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(\.\d+)? ?(Z|[+-]\d{2}:?\d{2})?(?: [A-Z]{1,5})?$/.exec(
    text.trim(),
  );
  if (parts === null) return null;
  const [, day = '', time = '', fraction = '', zone = 'Z'] = parts;
  const atMs = Date.parse(
    `${day}T${time}${fraction.slice(0, 4)}${zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone}`,
  );
  return Number.isNaN(atMs) ? null : atMs;
}
