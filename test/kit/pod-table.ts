/**
 * The names in the tables of pods and templates as the specification lists them, copied from its text: what the sandbox
 * must answer and a window must show.
 */

/** spec: Pod. */
export const podTable = [
  'id',
  'name',
  'desiredStatus',
  'image',
  'adjustedCostPerHr',
  'costPerHr',
  'consumerUserId',
  'containerDiskInGb',
  'containerRegistryAuthId',
  'cpuFlavorId',
  'dockerEntrypoint',
  'dockerStartCmd',
  'endpointId',
  'aiApiId',
  'env',
  'gpu',
  'interruptible',
  'lastStartedAt',
  'lastStatusChange',
  'locked',
  'machine',
  'machineId',
  'memoryInGb',
  'networkVolume',
  'portMappings',
  'ports',
  'publicIp',
  'savingsPlans',
  'slsVersion',
  'templateId',
  'vcpuCount',
  'volumeEncrypted',
  'volumeInGb',
  'volumeMountPath',
] as const;

/** spec: GPU type object. */
export const gpuTable = [
  'id',
  'count',
  'displayName',
  'securePrice',
  'communityPrice',
  'oneMonthPrice',
  'threeMonthPrice',
  'sixMonthPrice',
  'oneWeekPrice',
  'communitySpotPrice',
  'secureSpotPrice',
] as const;

/** spec: Machine object, cpuType. */
export const cpuTypeTable = ['id', 'displayName', 'groupId', 'cores', 'threadsPerCore'] as const;

/** spec: Machine object. */
export const machineTable = [
  'minPodGpuCount',
  'gpuTypeId',
  'gpuType',
  'cpuCount',
  'cpuTypeId',
  'cpuType',
  'location',
  'dataCenterId',
  'diskThroughputMBps',
  'maxDownloadSpeedMbps',
  'maxUploadSpeedMbps',
  'supportPublicIp',
  'secureCloud',
  'maintenanceStart',
  'maintenanceEnd',
  'maintenanceNote',
  'note',
  'costPerHr',
  'currentPricePerGpu',
  'gpuAvailable',
  'gpuDisplayName',
] as const;

/** spec: Template, the table. */
export const templateTable = [
  'id',
  'name',
  'imageName',
  'category',
  'containerDiskInGb',
  'containerRegistryAuthId',
  'dockerEntrypoint',
  'dockerStartCmd',
  'earned',
  'env',
  'isPublic',
  'isRunpod',
  'isServerless',
  'ports',
  'readme',
  'runtimeInMin',
  'volumeInGb',
  'volumeMountPath',
] as const;

/** spec: Pod, networkVolume. */
export const networkVolumeTable = ['id', 'name', 'size', 'dataCenterId'] as const;

/** spec: Pod, savingsPlans, each item. */
export const savingsPlanTable = ['costPerHr', 'endTime', 'gpuTypeId', 'id', 'podId', 'startTime'] as const;

/** Every field by its dotted path, with one savings plan. */
export const podPaths: readonly string[] = [
  ...podTable,
  ...gpuTable.map((name) => `gpu.${name}`),
  ...machineTable.map((name) => `machine.${name}`),
  ...cpuTypeTable.map((name) => `machine.cpuType.${name}`),
  ...gpuTable.map((name) => `machine.gpuType.${name}`),
  ...networkVolumeTable.map((name) => `networkVolume.${name}`),
  ...savingsPlanTable.map((name) => `savingsPlans.0.${name}`),
];
