import { stableId } from './field-forms.ts';
import type { CpuType, Gpu, Machine } from './pod.ts';

/** A kind of GPU: what a pod gets for each, and what its hosts have. */
export interface GpuModel {
  type: Omit<Gpu, 'count'>;
  gpusPerHost: number;
  vcpuPerGpu: number;
  memoryPerGpuInGb: number;
  cpuType: CpuType;
}

const MILAN: CpuType = {
  id: 'AMD EPYC 7763 64-Core Processor',
  displayName: 'EPYC 7763',
  cores: 128,
  threadsPerCore: 2,
  groupId: 'Milan',
};
const GENOA: CpuType = {
  id: 'AMD EPYC 9354 32-Core Processor',
  displayName: 'EPYC 9354',
  cores: 64,
  threadsPerCore: 2,
  groupId: 'Genoa',
};
const ICE_LAKE: CpuType = {
  id: 'Intel(R) Xeon(R) Gold 6342 CPU @ 2.80GHz',
  displayName: 'Xeon Gold 6342',
  cores: 48,
  threadsPerCore: 2,
  groupId: 'Ice Lake',
};

export const A100: GpuModel = {
  type: {
    id: 'NVIDIA A100-SXM4-80GB',
    displayName: 'A100 SXM',
    securePrice: 1.49,
    communityPrice: 1.39,
    oneWeekPrice: 1.45,
    oneMonthPrice: 1.41,
    threeMonthPrice: 1.34,
    sixMonthPrice: 1.27,
    communitySpotPrice: 0.79,
    secureSpotPrice: 0.95,
  },
  gpusPerHost: 8,
  vcpuPerGpu: 16,
  memoryPerGpuInGb: 125,
  cpuType: MILAN,
};

export const RTX_4090: GpuModel = {
  type: {
    id: 'NVIDIA GeForce RTX 4090',
    displayName: 'RTX 4090',
    securePrice: 0.69,
    communityPrice: 0.44,
    oneWeekPrice: 0.66,
    oneMonthPrice: 0.64,
    threeMonthPrice: 0.61,
    sixMonthPrice: 0.58,
    communitySpotPrice: 0.29,
    secureSpotPrice: 0.5,
  },
  gpusPerHost: 4,
  vcpuPerGpu: 12,
  memoryPerGpuInGb: 62,
  cpuType: ICE_LAKE,
};

export const L4: GpuModel = {
  type: {
    id: 'NVIDIA L4',
    displayName: 'L4',
    securePrice: 0.43,
    communityPrice: 0.37,
    oneWeekPrice: 0.42,
    oneMonthPrice: 0.4,
    threeMonthPrice: 0.38,
    sixMonthPrice: 0.36,
    communitySpotPrice: 0.22,
    secureSpotPrice: 0.27,
  },
  gpusPerHost: 8,
  vcpuPerGpu: 10,
  memoryPerGpuInGb: 50,
  cpuType: ICE_LAKE,
};

export const MI300X: GpuModel = {
  type: {
    id: 'AMD Instinct MI300X OAM',
    displayName: 'MI300X',
    securePrice: 2.69,
    communityPrice: 2.49,
    oneWeekPrice: 2.6,
    oneMonthPrice: 2.54,
    threeMonthPrice: 2.4,
    sixMonthPrice: 2.29,
    communitySpotPrice: 1.49,
    secureSpotPrice: 1.79,
  },
  gpusPerHost: 8,
  vcpuPerGpu: 16,
  memoryPerGpuInGb: 283,
  cpuType: GENOA,
};

/** A kind of CPU pod, by vCPU. */
export interface CpuFlavor {
  id: string;
  pricePerVcpu: number;
  memoryPerVcpuInGb: number;
  cpuType: CpuType;
}

export const CPU3C: CpuFlavor = { id: 'cpu3c', pricePerVcpu: 0.03, memoryPerVcpuInGb: 2, cpuType: MILAN };

/** A location of hosts. */
export interface DataCenter {
  id: string;
  location: string;
}

export const ROMANIA: DataCenter = { id: 'EU-RO-1', location: 'RO' };
export const KANSAS: DataCenter = { id: 'US-KS-2', location: 'US' };
export const CZECHIA: DataCenter = { id: 'EU-CZ-1', location: 'CZ' };
export const MONTREAL: DataCenter = { id: 'CA-MTL-3', location: 'CA' };

/** The hardware of a pod, and its list price in credits per hour. */
export interface Rental {
  gpu: Gpu | null;
  cpuFlavorId: string | null;
  vcpuCount: number;
  memoryInGb: number;
  costPerHr: number;
  machine: Machine;
  machineId: string;
}

/** Removes the rounding errors of floating point. */
export function credits(amount: number): number {
  return Math.round(amount * 10_000) / 10_000;
}

/** The fields of a machine that do not concern its GPUs. */
type Host = Omit<
  Machine,
  'minPodGpuCount' | 'gpuTypeId' | 'gpuType' | 'costPerHr' | 'currentPricePerGpu' | 'gpuAvailable' | 'gpuDisplayName'
>;

function hostOf(cpuType: CpuType, { id, location }: DataCenter, isSecure: boolean): Host {
  return {
    cpuCount: cpuType.cores * cpuType.threadsPerCore,
    cpuTypeId: cpuType.id,
    cpuType,
    location,
    dataCenterId: id,
    diskThroughputMBps: isSecure ? 4_850 : 1_920,
    maxDownloadSpeedMbps: isSecure ? 9_210 : 940,
    maxUploadSpeedMbps: isSecure ? 8_640 : 880,
    supportPublicIp: true,
    secureCloud: isSecure,
    maintenanceStart: null,
    maintenanceEnd: null,
    maintenanceNote: null,
    note: null,
  };
}

/**
 * A part of a GPU host. `key` distinguishes hosts. A community host is cheaper, an interruptible rental cheaper still.
 */
export function rentGpu(
  { model, count, place, key }: { model: GpuModel; count: number; place: DataCenter; key: string },
  { isSecure = true, isInterruptible = false }: { isSecure?: boolean; isInterruptible?: boolean } = {},
): Rental {
  const { type, gpusPerHost, vcpuPerGpu, memoryPerGpuInGb, cpuType } = model;
  const spotPrice = isSecure ? type.secureSpotPrice : type.communitySpotPrice;
  const pricePerGpu = isInterruptible ? spotPrice : isSecure ? type.securePrice : type.communityPrice;
  const costPerHr = credits(pricePerGpu * count);
  return {
    gpu: { ...type, count },
    cpuFlavorId: null,
    vcpuCount: vcpuPerGpu * count,
    memoryInGb: memoryPerGpuInGb * count,
    costPerHr,
    machineId: stableId('machine', key),
    machine: {
      ...hostOf(cpuType, place, isSecure),
      minPodGpuCount: 1,
      gpuTypeId: type.id,
      gpuType: { ...type, count: gpusPerHost },
      costPerHr,
      currentPricePerGpu: pricePerGpu,
      gpuAvailable: Math.floor((gpusPerHost - count) / 2),
      gpuDisplayName: type.displayName,
    },
  };
}

interface RentCpuInput {
  flavor: CpuFlavor;
  vcpuCount: number;
  place: DataCenter;
  key: string;
}

/** A part of a host without GPUs. `key` distinguishes hosts. */
export function rentCpu({ flavor, vcpuCount, place, key }: RentCpuInput): Rental {
  const costPerHr = credits(flavor.pricePerVcpu * vcpuCount);
  return {
    gpu: null,
    cpuFlavorId: flavor.id,
    vcpuCount,
    memoryInGb: flavor.memoryPerVcpuInGb * vcpuCount,
    costPerHr,
    machineId: stableId('machine', key),
    machine: {
      ...hostOf(flavor.cpuType, place, true),
      minPodGpuCount: 0,
      gpuTypeId: null,
      gpuType: null,
      costPerHr,
      currentPricePerGpu: null,
      gpuAvailable: 0,
      gpuDisplayName: null,
    },
  };
}
