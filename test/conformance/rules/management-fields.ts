import {
  boolean,
  integer,
  ipv4,
  number,
  objectWith,
  oneOf,
  orNull,
  portMap,
  ports,
  text,
  textMap,
  texts,
  timestamp,
  type Shape,
} from './shapes.ts';

const prices = Object.fromEntries(
  [
    'securePrice',
    'communityPrice',
    'oneMonthPrice',
    'threeMonthPrice',
    'sixMonthPrice',
    'oneWeekPrice',
    'communitySpotPrice',
    'secureSpotPrice',
  ].map((name) => [name, orNull(number)]),
);

/** GPU type object. */
export const GPU_FIELDS: Readonly<Record<string, Shape>> = { id: text, count: integer, displayName: text, ...prices };

/**
 * The Pod table: each field that is not included on request only. A field may be null where the
 * table says that it may not apply.
 */
export const POD_FIELDS: Readonly<Record<string, Shape>> = {
  id: text,
  name: text,
  desiredStatus: oneOf('RUNNING', 'EXITED', 'TERMINATED'),
  image: text,
  adjustedCostPerHr: number,
  costPerHr: number,
  consumerUserId: text,
  containerDiskInGb: integer,
  containerRegistryAuthId: orNull(text),
  cpuFlavorId: orNull(text),
  dockerEntrypoint: texts,
  dockerStartCmd: texts,
  endpointId: orNull(text),
  aiApiId: orNull(text),
  env: textMap,
  gpu: orNull(objectWith(GPU_FIELDS)),
  interruptible: boolean,
  lastStartedAt: orNull(timestamp),
  lastStatusChange: text,
  locked: boolean,
  machineId: orNull(text),
  memoryInGb: number,
  portMappings: portMap,
  ports,
  publicIp: orNull(ipv4),
  slsVersion: orNull(integer),
  templateId: orNull(text),
  vcpuCount: number,
  volumeEncrypted: boolean,
  volumeInGb: integer,
  volumeMountPath: text,
};

export const NETWORK_VOLUME_FIELDS: Readonly<Record<string, Shape>> = {
  id: text,
  name: text,
  size: number,
  dataCenterId: text,
};

export const SAVINGS_PLAN_FIELDS: Readonly<Record<string, Shape>> = {
  costPerHr: number,
  endTime: timestamp,
  gpuTypeId: text,
  id: text,
  podId: text,
  startTime: timestamp,
};

/** Machine object. */
export const MACHINE_FIELDS: Readonly<Record<string, Shape>> = {
  minPodGpuCount: number,
  gpuTypeId: orNull(text),
  gpuType: orNull(objectWith(GPU_FIELDS)),
  cpuCount: number,
  cpuTypeId: text,
  cpuType: objectWith({ id: text, displayName: text, groupId: text, cores: number, threadsPerCore: number }),
  location: text,
  dataCenterId: text,
  diskThroughputMBps: number,
  maxDownloadSpeedMbps: number,
  maxUploadSpeedMbps: number,
  supportPublicIp: boolean,
  secureCloud: boolean,
  maintenanceStart: orNull(text),
  maintenanceEnd: orNull(text),
  maintenanceNote: orNull(text),
  note: orNull(text),
  costPerHr: number,
  currentPricePerGpu: orNull(number),
  gpuAvailable: number,
  gpuDisplayName: orNull(text),
};

/** The Template table. */
export const TEMPLATE_FIELDS: Readonly<Record<string, Shape>> = {
  id: text,
  name: text,
  imageName: text,
  category: oneOf('NVIDIA', 'AMD', 'CPU'),
  containerDiskInGb: integer,
  containerRegistryAuthId: text,
  dockerEntrypoint: texts,
  dockerStartCmd: texts,
  earned: number,
  env: textMap,
  isPublic: boolean,
  isRunpod: boolean,
  isServerless: boolean,
  ports,
  readme: text,
  runtimeInMin: integer,
  volumeInGb: integer,
  volumeMountPath: text,
};
