import type { CpuType, Gpu, Machine, NetworkVolume, Pod, PodInclude, SavingsPlan } from '../../src-preload/pod.ts';
import { podFieldText, type FieldText } from '../messages/pods/fields.ts';
import {
  cpuTypeFieldText,
  gpuFieldText,
  machineFieldText,
  networkVolumeFieldText,
  savingsPlanFieldText,
} from '../messages/pods/hardware-fields.ts';

/** How a value is written. `id` and `raw` in monospace; `id` can be copied. */
type FieldForm =
  | 'text'
  | 'id'
  | 'raw'
  | 'number'
  | 'price'
  | 'yesNo'
  | 'time'
  | 'arguments'
  | 'object'
  | 'list'
  | 'map';

export interface PodFieldInfo extends FieldText {
  form: FieldForm;
  /** The flag that includes it in the reply. */
  flag?: PodInclude;
}

/** One entry for every field of T. A field of the type without an entry does not compile. */
export type FieldTable<T> = { readonly [Name in keyof T]-?: PodFieldInfo };

/** spec: Pod, every field of the table, and `template` (includeTemplate). */
export const podFields: FieldTable<Pod> = {
  id: { ...podFieldText.id, form: 'id' },
  name: { ...podFieldText.name, form: 'text' },
  desiredStatus: { ...podFieldText.desiredStatus, form: 'text' },
  image: { ...podFieldText.image, form: 'id' },
  adjustedCostPerHr: { ...podFieldText.adjustedCostPerHr, form: 'price' },
  costPerHr: { ...podFieldText.costPerHr, form: 'price' },
  consumerUserId: { ...podFieldText.consumerUserId, form: 'id' },
  containerDiskInGb: { ...podFieldText.containerDiskInGb, form: 'number' },
  containerRegistryAuthId: { ...podFieldText.containerRegistryAuthId, form: 'id' },
  cpuFlavorId: { ...podFieldText.cpuFlavorId, form: 'id' },
  dockerEntrypoint: { ...podFieldText.dockerEntrypoint, form: 'arguments' },
  dockerStartCmd: { ...podFieldText.dockerStartCmd, form: 'arguments' },
  endpointId: { ...podFieldText.endpointId, form: 'id' },
  aiApiId: { ...podFieldText.aiApiId, form: 'id' },
  env: { ...podFieldText.env, form: 'map' },
  gpu: { ...podFieldText.gpu, form: 'object' },
  interruptible: { ...podFieldText.interruptible, form: 'yesNo' },
  lastStartedAt: { ...podFieldText.lastStartedAt, form: 'time' },
  lastStatusChange: { ...podFieldText.lastStatusChange, form: 'text' },
  locked: { ...podFieldText.locked, form: 'yesNo' },
  machine: { ...podFieldText.machine, form: 'object', flag: 'includeMachine' },
  machineId: { ...podFieldText.machineId, form: 'id' },
  memoryInGb: { ...podFieldText.memoryInGb, form: 'number' },
  networkVolume: { ...podFieldText.networkVolume, form: 'object', flag: 'includeNetworkVolume' },
  portMappings: { ...podFieldText.portMappings, form: 'map' },
  ports: { ...podFieldText.ports, form: 'list' },
  publicIp: { ...podFieldText.publicIp, form: 'id' },
  savingsPlans: { ...podFieldText.savingsPlans, form: 'list', flag: 'includeSavingsPlans' },
  slsVersion: { ...podFieldText.slsVersion, form: 'number' },
  template: { ...podFieldText.template, form: 'object', flag: 'includeTemplate' },
  templateId: { ...podFieldText.templateId, form: 'id' },
  vcpuCount: { ...podFieldText.vcpuCount, form: 'number' },
  volumeEncrypted: { ...podFieldText.volumeEncrypted, form: 'yesNo' },
  volumeInGb: { ...podFieldText.volumeInGb, form: 'number' },
  volumeMountPath: { ...podFieldText.volumeMountPath, form: 'raw' },
};

/** spec: GPU type object. */
export const gpuFields: FieldTable<Gpu> = {
  id: { ...gpuFieldText.id, form: 'id' },
  count: { ...gpuFieldText.count, form: 'number' },
  displayName: { ...gpuFieldText.displayName, form: 'text' },
  securePrice: { ...gpuFieldText.securePrice, form: 'price' },
  communityPrice: { ...gpuFieldText.communityPrice, form: 'price' },
  oneMonthPrice: { ...gpuFieldText.oneMonthPrice, form: 'price' },
  threeMonthPrice: { ...gpuFieldText.threeMonthPrice, form: 'price' },
  sixMonthPrice: { ...gpuFieldText.sixMonthPrice, form: 'price' },
  oneWeekPrice: { ...gpuFieldText.oneWeekPrice, form: 'price' },
  communitySpotPrice: { ...gpuFieldText.communitySpotPrice, form: 'price' },
  secureSpotPrice: { ...gpuFieldText.secureSpotPrice, form: 'price' },
};

/** spec: Machine object, cpuType. */
export const cpuTypeFields: FieldTable<CpuType> = {
  id: { ...cpuTypeFieldText.id, form: 'id' },
  displayName: { ...cpuTypeFieldText.displayName, form: 'text' },
  groupId: { ...cpuTypeFieldText.groupId, form: 'text' },
  cores: { ...cpuTypeFieldText.cores, form: 'number' },
  threadsPerCore: { ...cpuTypeFieldText.threadsPerCore, form: 'number' },
};

/** spec: Machine object. */
export const machineFields: FieldTable<Machine> = {
  minPodGpuCount: { ...machineFieldText.minPodGpuCount, form: 'number' },
  gpuTypeId: { ...machineFieldText.gpuTypeId, form: 'id' },
  gpuType: { ...machineFieldText.gpuType, form: 'object' },
  cpuCount: { ...machineFieldText.cpuCount, form: 'number' },
  cpuTypeId: { ...machineFieldText.cpuTypeId, form: 'id' },
  cpuType: { ...machineFieldText.cpuType, form: 'object' },
  location: { ...machineFieldText.location, form: 'text' },
  dataCenterId: { ...machineFieldText.dataCenterId, form: 'text' },
  diskThroughputMBps: { ...machineFieldText.diskThroughputMBps, form: 'number' },
  maxDownloadSpeedMbps: { ...machineFieldText.maxDownloadSpeedMbps, form: 'number' },
  maxUploadSpeedMbps: { ...machineFieldText.maxUploadSpeedMbps, form: 'number' },
  supportPublicIp: { ...machineFieldText.supportPublicIp, form: 'yesNo' },
  secureCloud: { ...machineFieldText.secureCloud, form: 'yesNo' },
  maintenanceStart: { ...machineFieldText.maintenanceStart, form: 'time' },
  maintenanceEnd: { ...machineFieldText.maintenanceEnd, form: 'time' },
  maintenanceNote: { ...machineFieldText.maintenanceNote, form: 'text' },
  note: { ...machineFieldText.note, form: 'text' },
  costPerHr: { ...machineFieldText.costPerHr, form: 'price' },
  currentPricePerGpu: { ...machineFieldText.currentPricePerGpu, form: 'price' },
  gpuAvailable: { ...machineFieldText.gpuAvailable, form: 'number' },
  gpuDisplayName: { ...machineFieldText.gpuDisplayName, form: 'text' },
};

/** spec: Pod, networkVolume. */
export const networkVolumeFields: FieldTable<NetworkVolume> = {
  id: { ...networkVolumeFieldText.id, form: 'id' },
  name: { ...networkVolumeFieldText.name, form: 'text' },
  size: { ...networkVolumeFieldText.size, form: 'number' },
  dataCenterId: { ...networkVolumeFieldText.dataCenterId, form: 'text' },
};

/** spec: Pod, savingsPlans, each item. */
export const savingsPlanFields: FieldTable<SavingsPlan> = {
  id: { ...savingsPlanFieldText.id, form: 'id' },
  podId: { ...savingsPlanFieldText.podId, form: 'id' },
  gpuTypeId: { ...savingsPlanFieldText.gpuTypeId, form: 'id' },
  costPerHr: { ...savingsPlanFieldText.costPerHr, form: 'price' },
  startTime: { ...savingsPlanFieldText.startTime, form: 'time' },
  endTime: { ...savingsPlanFieldText.endTime, form: 'time' },
};
