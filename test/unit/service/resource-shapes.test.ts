import { describe, expect, it } from 'vitest';
import { readPod, readTemplateFields, readObject } from '../../../src-main/service/resource-shapes.ts';
import { readTimestamp } from '../../../src-preload/pod.ts';
import { templateUpdate } from '../../../src-preload/template-schema.ts';

const fieldPod =
  '{"adjustedCostPerHr":0.69,"aiApiId":null,"consumerUserId":"user_2PyTJrLzeuwfZilRZ7JhCQDuSqo","costPerHr":"0.74","endpointId":null,"env":{"ENV_VAR":"value"},"id":"xedezhzb9la3ye","image":"runpod/pytorch:2.1.0-py3.10-cuda11.8.0-devel-ubuntu22.04","lastStartedAt":"2024-07-12T19:14:40.144Z","lastStatusChange":"Rented by User: Fri Jul 12 2024 15:14:40 GMT-0400 (Eastern Daylight Time)","machineId":"s194cr8pls2z","memoryInGb":62,"networkVolume":{"id":"agv6w2qcg7","name":"my network volume","size":50,"dataCenterId":"EU-RO-1"},"portMappings":{"22":10341},"ports":["8888/http","22/tcp"],"publicIp":"100.65.0.119","slsVersion":0,"templateId":null,"vcpuCount":24}';
const fieldTemplate =
  '{"category":"NVIDIA","containerDiskInGb":50,"dockerEntrypoint":[],"dockerStartCmd":[],"earned":100,"env":{"ENV_VAR":"value"},"id":"30zmvf89kd","imageName":"runpod/pytorch:2.1.0-py3.10-cuda11.8.0-devel-ubuntu22.04","isPublic":false,"isRunpod":true,"isServerless":true,"name":"my template","ports":["8888/http","22/tcp"],"volumeInGb":20,"volumeMountPath":"/workspace"}';

function template(raw: string, askedId: string): ReturnType<typeof readTemplateFields> {
  const fields = readObject(raw);
  if (!fields.ok) throw new Error(fields.failure);
  return readTemplateFields(fields.value, askedId);
}

describe('pods', () => {
  it('reads the published example whole, even with the price sent as text (ruling 29)', () => {
    const read = readPod(fieldPod, 'asked');
    expect(read).toEqual({
      ok: true,
      value: {
        pod: { ...JSON.parse(fieldPod), costPerHr: 0.74 },
        workersJson: null,
        extra: {},
        oddFields: [],
        raw: fieldPod,
      },
    });
  });

  it('distinguishes null from absent', () => {
    const read = readPod('{"id":"a","templateId":null}', 'a');
    expect(read.ok && read.value.pod).toStrictEqual({ id: 'a', templateId: null });
  });

  it('keeps the mapped ports if one is not mapped yet', () => {
    const read = readPod('{"id":"a","portMappings":{"22":null,"80":"8080"}}', 'a');
    expect(read.ok && [read.value.pod, read.value.oddFields]).toEqual([{ id: 'a', portMappings: { 80: 8_080 } }, []]);
  });

  it('reads every field of the tables', () => {
    const gpu = {
      id: 'H100',
      count: 2,
      displayName: 'H100 SXM',
      securePrice: 1,
      communityPrice: 2,
      oneMonthPrice: 3,
      threeMonthPrice: 4,
      sixMonthPrice: 5,
      oneWeekPrice: 6,
      communitySpotPrice: 7,
      secureSpotPrice: 8,
    };
    const machine = {
      minPodGpuCount: 1,
      gpuTypeId: 'H100',
      gpuType: gpu,
      cpuCount: 96,
      cpuTypeId: 'EPYC',
      cpuType: { id: 'EPYC', displayName: 'EPYC 9474F', groupId: 'amd', cores: 48, threadsPerCore: 2 },
      location: 'NL',
      dataCenterId: 'EU-NL-1',
      diskThroughputMBps: 5_120,
      maxDownloadSpeedMbps: 9_400,
      maxUploadSpeedMbps: 8_800,
      supportPublicIp: true,
      secureCloud: true,
      maintenanceStart: 's',
      maintenanceEnd: 'e',
      maintenanceNote: 'm',
      note: 'n',
      costPerHr: 1,
      currentPricePerGpu: 2,
      gpuAvailable: 4,
      gpuDisplayName: 'H100',
    };
    const pod = {
      id: 'p',
      name: 'n',
      desiredStatus: 'RUNNING',
      image: 'i',
      adjustedCostPerHr: 1,
      costPerHr: 2,
      consumerUserId: 'u',
      containerDiskInGb: 50,
      containerRegistryAuthId: 'r',
      cpuFlavorId: 'c',
      dockerEntrypoint: ['a'],
      dockerStartCmd: [],
      endpointId: 'e',
      aiApiId: 'e',
      env: { A: 'b' },
      gpu,
      interruptible: false,
      lastStartedAt: 't',
      lastStatusChange: 's',
      locked: true,
      machine,
      machineId: 'm',
      memoryInGb: 251,
      networkVolume: { id: 'v', name: 'n', size: 2_000, dataCenterId: 'd' },
      portMappings: { 22: 10_341 },
      ports: ['22/tcp'],
      publicIp: '203.0.113.47',
      savingsPlans: [{ costPerHr: 4.86, endTime: 'e', gpuTypeId: 'g', id: 's', podId: 'p', startTime: 't' }],
      slsVersion: 3,
      templateId: 't',
      template: JSON.parse(fieldTemplate),
      vcpuCount: 48,
      volumeEncrypted: true,
      volumeInGb: 200,
      volumeMountPath: '/workspace',
    };
    const read = readPod(JSON.stringify(pod), 'p');
    expect(read.ok && read.value).toMatchObject({ pod, extra: {}, oddFields: [] });
  });

  it('names fields of another form, skips them and reads the rest', () => {
    const read = readPod(
      '{"id":"a","locked":"maybe","memoryInGb":"a lot","machine":{"cpuCount":[],"location":"NL"},"savingsPlans":[{"costPerHr":{}}],"ports":"22/tcp","env":{"N":1,"ON":true,"NIL":null},"portMappings":{"22":"10341"}}',
      'a',
    );
    expect(read.ok && read.value.oddFields.toSorted()).toEqual([
      'locked',
      'machine.cpuCount',
      'memoryInGb',
      'ports',
      'savingsPlans.0.costPerHr',
    ]);
    expect(read.ok && read.value.pod).toStrictEqual({
      id: 'a',
      machine: { location: 'NL' },
      savingsPlans: [{}],
      env: { N: '1', ON: 'true', NIL: '' },
      portMappings: { 22: 10_341 },
    });
  });

  it('keeps the listing of includeWorkers as its text and unknown fields separate (ruling 24)', () => {
    const read = readPod('{"id":"a","workers":[{"id":12345678901234567890}],"region":"EU"}', 'a');
    expect(read.ok && read.value).toMatchObject({
      workersJson: '[{"id":12345678901234567890}]',
      extra: { region: 'EU' },
    });
  });

  it('uses the requested id if the reply has none, and refuses what is not a pod', () => {
    expect(readPod('{"name":"n"}', 'asked')).toMatchObject({ ok: true, value: { pod: { id: 'asked' } } });
    expect(readPod('{"error":"pod not found"}', 'asked')).toEqual({ ok: false, failure: 'has no field of a pod' });
    expect(readPod('{"toString":1}', 'asked').ok).toBe(false);
  });
});

describe('templates', () => {
  it('reads the published example whole', () => {
    expect(template(fieldTemplate, 'asked')).toEqual({
      ok: true,
      value: { template: JSON.parse(fieldTemplate), extra: {}, oddFields: [], raw: fieldTemplate },
    });
  });

  it('refuses what is not a template', () => {
    expect(template('{"message":"no"}', 'a')).toEqual({ ok: false, failure: 'has no field of a template' });
  });

  it.each([
    [
      {
        name: 'n'.repeat(191),
        ports: ['8888/http', '1/tcp', '65535/tcp'],
        volumeInGb: 0,
        env: { A: '' },
        readme: '',
        dockerStartCmd: [],
      },
      true,
    ],
    [{}, true],
    [{ name: 'n'.repeat(192) }, false],
    [{ name: '  ' }, false],
    [{ ports: ['0/http'] }, false],
    [{ ports: ['65536/tcp'] }, false],
    [{ ports: ['22'] }, false],
    [{ ports: ['22/udp'] }, false],
    [{ containerDiskInGb: 1.5 }, false],
    [{ containerDiskInGb: '50' }, false],
    [{ volumeInGb: -1 }, false],
    [{ volumeMountPath: 'workspace' }, false],
    [{ env: { 'A=B': 'c' } }, false],
    [{ env: { A: 1 } }, false],
    [{ isServerless: true }, false],
  ])('checks an update against the table: %j', (update, isTaken) => {
    expect(templateUpdate.safeParse(update).success).toBe(isTaken);
  });
});

describe('timestamps', () => {
  it.each([
    ['2024-07-12T19:14:40.144Z', Date.UTC(2024, 6, 12, 19, 14, 40, 144)],
    ['2026-10-04 11:09:24.633 +0000 UTC', Date.UTC(2026, 9, 4, 11, 9, 24, 633)],
    ['2026-10-04 11:09:24.633123456 +0200 CEST', Date.UTC(2026, 9, 4, 9, 9, 24, 633)],
    ['2026-10-04T11:09:24', Date.UTC(2026, 9, 4, 11, 9, 24)],
    ['2026-10-04T11:09:24+02:00', Date.UTC(2026, 9, 4, 9, 9, 24)],
    ['2026-13-04T11:09:24Z', null],
    ['yesterday', null],
    ['', null],
  ])('reads %j', (text, expected) => {
    expect(readTimestamp(text)).toBe(expected);
  });
});
