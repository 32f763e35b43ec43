import type { CpuType, Gpu, Machine, NetworkVolume, SavingsPlan } from '../../../src-preload/pod.ts';
import { creditsPerHour, type FieldTexts } from './fields.ts';

/** spec: GPU type object. */
export const gpuFieldText: FieldTexts<Gpu> = {
  id: { label: 'Type', meaning: 'Identifies the GPU type.' },
  count: { label: 'Count', unit: 'GPUs', meaning: 'How many GPUs of this type.' },
  displayName: { label: 'Name', meaning: 'Name of the GPU type.' },
  securePrice: { label: 'Secure', unit: creditsPerHour, meaning: 'Price in the secure cloud.' },
  communityPrice: { label: 'Community', unit: creditsPerHour, meaning: 'Price in the community cloud.' },
  oneMonthPrice: { label: '1 month', unit: creditsPerHour, meaning: 'Price with a savings plan of one month.' },
  threeMonthPrice: { label: '3 months', unit: creditsPerHour, meaning: 'Price with a savings plan of three months.' },
  sixMonthPrice: { label: '6 months', unit: creditsPerHour, meaning: 'Price with a savings plan of six months.' },
  oneWeekPrice: { label: '1 week', unit: creditsPerHour, meaning: 'Price with a savings plan of one week.' },
  communitySpotPrice: {
    label: 'Community spot',
    unit: creditsPerHour,
    meaning: 'Price of an interruptible pod in the community cloud.',
  },
  secureSpotPrice: {
    label: 'Secure spot',
    unit: creditsPerHour,
    meaning: 'Price of an interruptible pod in the secure cloud.',
  },
};

/** spec: Machine object, cpuType. */
export const cpuTypeFieldText: FieldTexts<CpuType> = {
  id: { label: 'Type', meaning: 'Identifies the CPU type.' },
  displayName: { label: 'Name', meaning: 'Name of the CPU type.' },
  groupId: { label: 'Group', meaning: 'The family the CPU type belongs to.' },
  cores: { label: 'Cores', unit: 'cores', meaning: 'Cores of the CPU type.' },
  threadsPerCore: { label: 'Threads', unit: 'per core', meaning: 'Threads each core runs at a time.' },
};

/** spec: Machine object. */
export const machineFieldText: FieldTexts<Machine> = {
  minPodGpuCount: { label: 'Minimum GPUs', unit: 'GPUs', meaning: 'The fewest GPUs a pod on this machine rents.' },
  gpuTypeId: { label: 'GPU type', meaning: 'Identifies the type of the machine’s GPUs.' },
  gpuType: { label: 'GPUs', meaning: 'The type of the machine’s GPUs, with prices.' },
  cpuCount: { label: 'CPUs', unit: 'CPUs', meaning: 'CPUs of the whole machine.' },
  cpuTypeId: { label: 'CPU type', meaning: 'Identifies the type of the machine’s CPU.' },
  cpuType: { label: 'CPU', meaning: 'The type of the machine’s CPU.' },
  location: { label: 'Location', meaning: 'Location of the machine, as the service writes it.' },
  dataCenterId: { label: 'Data centre', meaning: 'Identifies the machine’s data centre.' },
  diskThroughputMBps: {
    label: 'Disk',
    unit: 'MB/s',
    meaning: 'Throughput of the machine’s disk, in megabytes a second.',
  },
  maxDownloadSpeedMbps: { label: 'Download', unit: 'Mbps', meaning: 'Fastest download, in megabits a second.' },
  maxUploadSpeedMbps: { label: 'Upload', unit: 'Mbps', meaning: 'Fastest upload, in megabits a second.' },
  supportPublicIp: {
    label: 'Public IP',
    booleanText: ['Supported', 'Not supported'],
    meaning: 'Whether pods on this machine can have a public IP.',
  },
  secureCloud: {
    label: 'Cloud',
    booleanText: ['Secure', 'Community'],
    meaning: 'Yes: a machine of the secure cloud. No: of the community cloud.',
  },
  maintenanceStart: {
    label: 'Service from',
    unit: 'UTC',
    meaning: 'When the next announced work on the machine begins.',
  },
  maintenanceEnd: { label: 'Service until', unit: 'UTC', meaning: 'When the announced work on the machine ends.' },
  maintenanceNote: { label: 'Service note', meaning: 'What the owner says about the announced work.' },
  note: { label: 'Note', meaning: 'What the owner says about the machine.' },
  costPerHr: { label: 'Cost', unit: creditsPerHour, meaning: 'What the pod’s part of the machine costs an hour.' },
  currentPricePerGpu: {
    label: 'Price per GPU',
    unit: creditsPerHour,
    meaning: 'What one GPU of the machine costs an hour at present.',
  },
  gpuAvailable: { label: 'Free GPUs', unit: 'GPUs', meaning: 'GPUs of the machine that are not rented.' },
  gpuDisplayName: { label: 'GPU name', meaning: 'Name of the machine’s GPU type.' },
};

/** spec: Pod, networkVolume. */
export const networkVolumeFieldText: FieldTexts<NetworkVolume> = {
  id: { label: 'Id', meaning: 'Identifies the network volume.' },
  name: { label: 'Name', meaning: 'Name of the network volume.' },
  size: { label: 'Size', unit: 'GB', meaning: 'Size of the network volume.' },
  dataCenterId: { label: 'Data centre', meaning: 'Identifies the data centre the volume is in.' },
};

/** spec: Pod, savingsPlans, each item. */
export const savingsPlanFieldText: FieldTexts<SavingsPlan> = {
  id: { label: 'Plan', meaning: 'Identifies the savings plan.' },
  podId: { label: 'Pod', meaning: 'The pod the plan covers.' },
  gpuTypeId: { label: 'GPU type', meaning: 'The GPU type the plan covers.' },
  costPerHr: { label: 'Cost', unit: creditsPerHour, meaning: 'What the pod costs an hour under the plan.' },
  startTime: { label: 'From', unit: 'UTC', meaning: 'When the plan began.' },
  endTime: { label: 'Until', unit: 'UTC', meaning: 'When the plan ends; then the list price applies.' },
};
