import type { ReactNode } from 'react';
import { minuteMs } from '../../../src-preload/durations.ts';
import { formatClock, formatCountOf } from '../../../src-preload/format.ts';
import type { PodChange } from '../../../src-preload/pod-reading.ts';
import type { PodInclude } from '../../../src-preload/pod.ts';
import { asOf } from './status.ts';

/** The pod's name and state, and what it belongs to. */
export const identityText = {
  title: 'Identity',
  desired: 'desired',
  id: 'Id',
  openTemplate: 'Open the template',
  openHealth: 'Open the endpoint’s health',
  locked: 'Locked',
  notLocked: 'Not locked',
  /** Before a value that is missing or odd. */
  lockedIs: 'locked:',
  readOnly: 'Jobdeck reads pods. It cannot start, stop or terminate them.',
};

export const lifecycleText = {
  title: 'Lifecycle',
  /** `now`, or `as of 3 h ago` for an old reading. */
  now: (ageMs: number): string => (ageMs < minuteMs ? 'now' : asOf(ageMs)),
  lastStarted: 'Last started',
  asReported: 'lastStatusChange, as reported',
};

export const hardwareText = {
  /** Before the names of fields. */
  absent: 'Not in the reply:',
  compute: 'Compute',
  machine: 'Machine',
  cpu: (name: string | null, cores: number | null): string =>
    `${name ?? 'unnamed'}${cores === null ? '' : `, ${cores} c`}`,
  networkVolume: 'Network volume',
  sameSite: 'Same site as the machine',
  differentSite: 'Different site from the machine',
  readWith: (flag: PodInclude): string => `Read with ${flag}`,
  podGpu: 'GPU type of the pod',
  machineGpu: 'GPU type of the machine',
  machineCpu: 'CPU type of the machine',
  prices: 'prices in credits per hour',
  otherDetails: 'Other machine details',
};

export const containerText = { title: 'Container', openTemplate: 'Open the template' };

export const portsText = {
  title: 'Ports',
  publicIp: 'public IP',
  publicAddress: 'Public address',
  mapped: (count: number): string => `${count} mapped`,
  inside: 'Inside',
  protocol: 'Protocol',
  action: 'Action',
  notReported: 'not reported',
  address: 'address',
  copySsh: 'Copy ssh command',
  sshCopied: 'ssh command copied',
  open: 'Open',
  notPublic: 'not a public address, so it is not opened',
  unreadable: 'unreadable entry',
  waiting: 'not mapped yet, waiting for the pod',
  notRunning: 'not mapped, the pod is not running',
  noPublicPort: 'no public port in portMappings',
  noPublicIp: 'no public IP in the reply',
};

/** The question before a port is opened in the browser. */
export const openPortText = {
  title: 'Open this port in the browser',
  open: 'Open in the browser',
  hint:
    'This address is from the last read of the pod. The connection is not encrypted, and the page is whatever the ' +
    'container serves. Jobdeck asks once per window.',
};

export const envText = {
  title: 'Environment',
  oneAtATime: 'Reveals one value at a time for 10 s',
  readToReveal: 'Read the pod again to reveal values',
  valuesLost: 'The values were only kept for an earlier session. Read the pod again.',
  showAll: (count: number): string => `Show all ${formatCountOf(count, 'variable')}`,
  hidden: 'hidden',
  empty: 'empty',
  reveal: (name: string): string => `Reveal ${name}`,
  hide: (name: string): string => `Hide ${name}`,
  copy: (name: string): string => `Copy the value of ${name}`,
};

/** What has changed since the reading before. */
export const podChangesText = {
  title: 'Changed',
  since: (count: number, sinceMs: number): string => `${formatCountOf(count, 'field')} since ${formatClock(sinceMs)}`,
  notInReply: 'not in the reply',
  to: 'to',
};

/** A changed variable, whose values are not shown. */
export const variableChanges: Readonly<Record<PodChange['kind'], string>> = {
  added: 'variable added',
  removed: 'variable removed',
  changed: 'value changed, hidden',
};

export const workersText = {
  title: 'Worker pods',
  none: 'The listing is empty: no pod is a serverless worker now.',
  thisPod: 'This is the pod of this window',
  version: (version: string): string => `version ${version}`,
  withoutId: (count: number): string =>
    `${formatCountOf(count, 'entry', 'entries')} without an id; see the reply on the right.`,
};

/** Fields and values that are not as the specification says. */
export const unspecifiedText = {
  fields: 'Not in the specification',
  formats: 'Unexpected formats',
  count: (count: number): string => formatCountOf(count, 'field'),
  asReceived: (fields: ReactNode): ReactNode => (
    <>Not in the format of the specification; shown as received: {fields}</>
  ),
};
