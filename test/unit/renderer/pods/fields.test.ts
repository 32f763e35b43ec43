import { describe, expect, it } from 'vitest';
import { readPod } from '../../../../src-main/service/resource-shapes.ts';
import {
  cpuTypeFields,
  gpuFields,
  machineFields,
  networkVolumeFields,
  podFields,
  savingsPlanFields,
} from '../../../../src-renderer/pods/pod-fields.ts';
import type { PodFieldInfo } from '../../../../src-renderer/pods/pod-fields.ts';
import {
  fieldState,
  isParentThere,
  readPodReply,
  stateNote,
  stateText,
  valueText,
} from '../../../../src-renderer/pods/field-state.ts';
import { formatUtc } from '../../../../src-renderer/messages/pods/values.ts';
import type { ReadReply } from '../../../../src-renderer/pods/field-state.ts';
import {
  cpuTypeTable,
  gpuTable,
  machineTable,
  networkVolumeTable,
  podTable,
  savingsPlanTable,
} from '../../../kit/pod-table.ts';

function replyOf(pod: object): ReadReply {
  const read = readPod(JSON.stringify(pod), 'p1');
  if (!read.ok) throw new Error(read.failure);
  return readPodReply(read.value);
}

const wordsOf = (info: PodFieldInfo, read: ReadReply, path: string, wasAskedFor = true): string => {
  const state = fieldState(read, path);
  return state.kind === 'value'
    ? valueText(info, state.value)
    : stateText(info, state, isParentThere(read, path), wasAskedFor);
};

describe('the table of fields', () => {
  it.each([
    ['Pod', podTable, podFields, ['template']],
    ['GPU type', gpuTable, gpuFields, []],
    ['cpuType', cpuTypeTable, cpuTypeFields, []],
    ['Machine', machineTable, machineFields, []],
    ['networkVolume', networkVolumeTable, networkVolumeFields, []],
    ['savingsPlans', savingsPlanTable, savingsPlanFields, []],
  ] as const)('has every field of %s, and none besides those of a flag', (_name, names, table, more) => {
    expect(Object.keys(table).sort()).toEqual([...names, ...more].sort());
    for (const info of Object.values(table)) {
      expect(info.label).toMatch(/^[A-Z0-9v]/);
      expect(info.meaning).toMatch(/^[A-Z].{8,}\.$/);
    }
  });
});

describe('a field in a reply', () => {
  const read = replyOf({
    id: 'p1',
    name: '',
    publicIp: null,
    ports: [],
    portMappings: {},
    dockerEntrypoint: [],
    costPerHr: '0.74',
    memoryInGb: 251,
    containerDiskInGb: 80,
    interruptible: false,
    secureCloud: true,
    locked: 'maybe',
    env: { A: { deep: 1 } },
    machine: {
      cpuType: { cores: 'many', threadsPerCore: 2 },
      gpuType: null,
      secureCloud: true,
      maintenanceStart: '2026-10-04 11:09:24.633 +0000 UTC',
    },
  });

  it('shows null, absent and empty as different', () => {
    expect(wordsOf(podFields.publicIp, read, 'publicIp')).toBe('none');
    expect(wordsOf(podFields.image, read, 'image')).toBe('not in the reply');
    expect(fieldState(read, 'name')).toEqual({ kind: 'empty', json: '""' });
    expect([wordsOf(podFields.ports, read, 'ports'), fieldState(read, 'ports')]).toEqual([
      'no ports',
      { kind: 'empty', json: '[]' },
    ]);
    expect([wordsOf(podFields.portMappings, read, 'portMappings'), fieldState(read, 'portMappings')]).toEqual([
      'nothing mapped',
      { kind: 'empty', json: '{}' },
    ]);
    expect(wordsOf(podFields.dockerEntrypoint, read, 'dockerEntrypoint')).toBe('from the image');
  });

  it('shows whether an included field was requested', () => {
    expect(wordsOf(podFields.savingsPlans, read, 'savingsPlans', false)).toBe('not requested');
    expect(wordsOf(podFields.savingsPlans, read, 'savingsPlans', true)).toBe('not in the reply');
    expect(stateNote(podFields.savingsPlans, { kind: 'absent' }, true)).toContain('includeSavingsPlans');
    expect(wordsOf(networkVolumeFields.size, read, 'networkVolume.size')).toBe('–');
    expect(wordsOf(gpuFields.count, read, 'machine.gpuType.count')).toBe('–');
  });

  it('shows unusual forms unchanged', () => {
    expect(fieldState(read, 'locked')).toEqual({ kind: 'odd', json: '"maybe"' });
    expect(fieldState(read, 'env')).toEqual({ kind: 'odd', json: '{"A":{"deep":1}}' });
    expect(fieldState(read, 'machine.cpuType.cores')).toEqual({ kind: 'odd', json: '"many"' });
    expect(wordsOf(cpuTypeFields.threadsPerCore, read, 'machine.cpuType.threadsPerCore')).toBe('2 per core');
  });

  it('shows values with their unit', () => {
    expect(wordsOf(podFields.memoryInGb, read, 'memoryInGb')).toBe('251 GB');
    expect(wordsOf(podFields.containerDiskInGb, read, 'containerDiskInGb')).toBe('80 GB, temporary');
    expect(wordsOf(podFields.costPerHr, read, 'costPerHr')).toBe('0.74');
    expect(wordsOf(podFields.interruptible, read, 'interruptible')).toBe('No, reserved');
    expect(wordsOf(machineFields.secureCloud, read, 'machine.secureCloud')).toBe('Secure');
    expect(wordsOf(machineFields.maintenanceStart, read, 'machine.maintenanceStart')).toMatch(
      /^4 Oct(?: 2026)?, 11:09:24 UTC$/,
    );
    expect(valueText(podFields.lastStartedAt, 'some day')).toBe('some day');
    expect(formatUtc(Date.UTC(2024, 6, 12, 19, 14, 40), Date.UTC(2026, 0, 1))).toBe('12 Jul 2024, 19:14:40 UTC');
    expect(formatUtc(Date.UTC(2024, 6, 12, 19, 14, 40), Date.UTC(2024, 0, 1))).toBe('12 Jul, 19:14:40 UTC');
    expect(formatUtc(Date.UTC(2024, 6, 12, 19, 14), Date.UTC(2024, 0, 1))).toBe('12 Jul, 19:14 UTC');
  });
});
