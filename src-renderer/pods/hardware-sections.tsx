import {
  Box,
  Check,
  CircuitBoard,
  Cpu,
  HardDrive,
  LayoutTemplate,
  Microchip,
  Package,
  Server,
  TriangleAlert,
} from 'lucide-react';
import { useContext, type ReactNode } from 'react';
import { hardwareOf } from '../../src-preload/pod-reading.ts';
import type { CpuType, Gpu, Machine, NetworkVolume, PodInclude } from '../../src-preload/pod.ts';
import { callOrReport } from '../call-or-report.ts';
import { Button } from '../design/button.tsx';
import { containerText, hardwareText } from '../messages/pods/sections.tsx';
import { FieldNote, FieldRow, FieldShell } from './field.tsx';
import { fieldState } from './field-state.ts';
import { IncludeContext, useShownPod } from './pod-context.ts';
import {
  cpuTypeFields,
  gpuFields,
  machineFields,
  networkVolumeFields,
  podFields,
  type FieldTable,
} from './pod-fields.ts';
import { FieldGrid, Section } from './section.tsx';
import styles from './hardware-sections.module.css';

/** The fields of a machine that are shown first. The others follow further down. */
const machineFirst = [
  'dataCenterId',
  'secureCloud',
  'cpuType',
  'diskThroughputMBps',
  'maxDownloadSpeedMbps',
  'maxUploadSpeedMbps',
  'gpuAvailable',
  'maintenanceStart',
] as const satisfies (keyof Machine)[];

/** Compute, machine and network volume side by side. */
export function HardwareColumns() {
  const { reply } = useShownPod();
  const { pod } = reply;
  const cpu = pod.machine?.cpuType;
  return (
    <div className={styles.columns}>
      <Section title={hardwareText.compute} icon={<Cpu />} isBare>
        <FieldRow info={podFields.gpu} path="gpu">
          {hardwareOf(pod)}
        </FieldRow>
        <FieldRow info={podFields.vcpuCount} path="vcpuCount" />
        <FieldRow info={podFields.memoryInGb} path="memoryInGb" />
        <FieldRow info={podFields.containerDiskInGb} path="containerDiskInGb" />
        <FieldRow info={podFields.volumeInGb} path="volumeInGb" />
        <FieldRow info={podFields.volumeMountPath} path="volumeMountPath" />
        <FieldRow info={podFields.volumeEncrypted} path="volumeEncrypted" />
        <FieldRow info={podFields.cpuFlavorId} path="cpuFlavorId" />
      </Section>
      <Section
        title={hardwareText.machine}
        icon={<Box />}
        note={<FieldNote info={podFields.machine} path="machine" />}
        isBare
      >
        <FieldRow info={podFields.machineId} path="machineId" />
        <Within path="machine" flag="includeMachine">
          {machineFirst.map((name) => (
            <FieldRow key={name} info={machineFields[name]} path={`machine.${name}`}>
              {name === 'cpuType'
                ? hardwareText.cpu(cpu?.displayName ?? cpu?.id ?? null, cpu?.cores ?? null)
                : undefined}
            </FieldRow>
          ))}
        </Within>
      </Section>
      <Section
        title={hardwareText.networkVolume}
        icon={<HardDrive />}
        note={<FieldNote info={podFields.networkVolume} path="networkVolume" />}
        isBare
      >
        <Within path="networkVolume" flag="includeNetworkVolume">
          <Rows table={networkVolumeFields} prefix="networkVolume" />
          <SameSite />
        </Within>
      </Section>
    </div>
  );
}

/** Whether the network volume is in the data centre where the pod runs. */
function SameSite() {
  const { reply } = useShownPod();
  const volume = reply.pod.networkVolume?.dataCenterId;
  const machine = reply.pod.machine?.dataCenterId;
  if (volume == null || machine == null) return null;
  return volume === machine ? (
    <p className={styles.same}>
      <Check size={12} aria-hidden="true" />
      {hardwareText.sameSite}
    </p>
  ) : (
    <p className={styles.apart}>
      <TriangleAlert size={12} aria-hidden="true" />
      {hardwareText.differentSite}
    </p>
  );
}

/** The fields of an object in the reply. If it was not requested, a button requests it. */
function Within({ path, flag, children }: { path: string; flag: PodInclude; children: ReactNode }) {
  const pod = useShownPod();
  const include = useContext(IncludeContext);
  if (fieldState(pod, path).kind === 'value') return children;
  if (pod.include.includes(flag)) return null;
  return (
    <Button size="sm" className={styles.ask} onClick={() => include(flag)}>
      {hardwareText.readWith(flag)}
    </Button>
  );
}

/** Every field of the reply that the columns above leave out. */
export function HardwareDetails() {
  const { reply } = useShownPod();
  const shown: ReadonlySet<string> = new Set(machineFirst);
  const machineGpu = reply.pod.machine?.gpuType;
  const cpu = reply.pod.machine?.cpuType;
  return (
    <>
      {reply.pod.gpu != null && (
        <Section title={hardwareText.podGpu} icon={<Microchip />} note={hardwareText.prices}>
          <FieldGrid>
            <Rows table={gpuFields} prefix="gpu" />
          </FieldGrid>
        </Section>
      )}
      {reply.pod.machine != null && (
        <Section title={hardwareText.otherDetails} icon={<Server />}>
          <FieldGrid>
            {names(machineFields)
              .filter((name) => !shown.has(name))
              .map((name) => (
                <FieldRow key={name} info={machineFields[name]} path={`machine.${name}`}>
                  {name === 'gpuType' ? (machineGpu?.displayName ?? machineGpu?.id ?? undefined) : undefined}
                </FieldRow>
              ))}
          </FieldGrid>
        </Section>
      )}
      {cpu != null && (
        <Section title={hardwareText.machineCpu} icon={<CircuitBoard />}>
          <FieldGrid>
            <Rows table={cpuTypeFields} prefix="machine.cpuType" />
          </FieldGrid>
        </Section>
      )}
      {machineGpu != null && (
        <Section title={hardwareText.machineGpu} icon={<Microchip />} note={hardwareText.prices}>
          <FieldGrid>
            <Rows table={gpuFields} prefix="machine.gpuType" />
          </FieldGrid>
        </Section>
      )}
    </>
  );
}

/** Image, entrypoint and start command, and the template they come from. */
export function ContainerSection() {
  const { reply, connectionId } = useShownPod();
  const { template } = reply.pod;
  const templateId = template?.id ?? '';
  return (
    <Section title={containerText.title} icon={<Package />} isWide>
      <FieldRow info={podFields.image} path="image" />
      <FieldRow info={podFields.dockerEntrypoint} path="dockerEntrypoint" />
      <FieldRow info={podFields.dockerStartCmd} path="dockerStartCmd" />
      <FieldRow info={podFields.template} path="template">
        <span className={styles.template}>
          {[template?.name ?? templateId, template?.imageName].filter((part) => part != null && part !== '').join(', ')}
          {templateId !== '' && (
            <Button
              variant="ghost"
              size="sm"
              icon={<LayoutTemplate />}
              onClick={() =>
                callOrReport('window:openResource', { connectionId, kind: 'template', id: templateId.slice(0, 200) })
              }
            >
              {containerText.openTemplate}
            </Button>
          )}
        </span>
      </FieldRow>
    </Section>
  );
}

type NestedTable = FieldTable<Gpu> | FieldTable<CpuType> | FieldTable<NetworkVolume>;

/** Three or more fields that a reply leaves out are one line of names: their words are all the same. */
const foldedFrom = 3;

function Rows({ table, prefix }: { table: NestedTable; prefix: string }) {
  const pod = useShownPod();
  const fields = Object.entries(table).map(([name, info]) => ({ info, path: `${prefix}.${name}` }));
  const absent = fields.filter(({ path }) => fieldState(pod, path).kind === 'absent');
  const folded = absent.length < foldedFrom ? [] : absent;
  return (
    <>
      {fields
        .filter((field) => !folded.includes(field))
        .map((field) => (
          <FieldRow key={field.path} {...field} />
        ))}
      {folded.length > 0 && (
        <div className={styles.absent}>
          {hardwareText.absent}
          {folded.map((field) => (
            <FieldShell key={field.path} {...field}>
              {field.info.label}
            </FieldShell>
          ))}
        </div>
      )}
    </>
  );
}

function names<T extends object>(table: T): (keyof T & string)[] {
  const all: (keyof T & string)[] = [];
  for (const name in table) if (Object.hasOwn(table, name)) all.push(name);
  return all;
}
