import type { Destination } from '../../src-preload/destination.ts';
import type { Job } from '../../src-preload/job.ts';
import type { AppNotification, Ongoing } from '../../src-preload/notification.ts';
import { commonText } from '../messages/common.ts';
import { actionText } from '../messages/notifications/centre.ts';

/** A button of the notification centre. `key` is the key of its job. */
export type CentreAction = { label: string } & (
  | { kind: 'open'; destination: Destination }
  | { kind: 'retry' | 'mute' | 'copy' | 'stop-waiting'; key: string }
  | { kind: 'check'; key: string; phase: Job['phase'] }
  | { kind: 'try-now' }
);

/** The actions for one notification, the most likely first. Pure. */
export function notificationActions({
  statusKind,
  jobKey: key,
  kind,
  connectionId,
  endpointId,
  hasOutput,
}: Pick<
  AppNotification,
  'statusKind' | 'jobKey' | 'kind' | 'connectionId' | 'endpointId' | 'hasOutput'
>): CentreAction[] {
  if (kind === 'alert' && endpointId !== null)
    return [{ kind: 'open', label: actionText.showHealth, destination: { kind: 'health', connectionId, endpointId } }];
  if (key === null) return [];
  const edit: CentreAction = { kind: 'open', label: actionText.edit, destination: { kind: 'edit-job', key } };
  switch (statusKind) {
    case 'fail':
    case 'timeout':
      return [{ kind: 'retry', label: commonText.retry, key }, edit, { kind: 'mute', label: actionText.mute, key }];
    case 'gone':
      return [{ kind: 'check', label: actionText.check, key, phase: 'gone' }, edit];
    case 'done':
      return hasOutput ? [{ kind: 'copy', label: commonText.copyOutput, key }] : [];
    case null:
    case 'cancel':
    case 'queue':
    case 'run':
    case 'to-send':
    case 'unknown':
    case 'orphaned':
      return [];
  }
}

/** The actions for something that is still ongoing, the most likely first. Pure. */
export function ongoingActions({
  kind,
  jobs,
  connectionId,
  endpointId,
}: Pick<Ongoing, 'kind' | 'jobs' | 'connectionId' | 'endpointId'>): CentreAction[] {
  if (kind === 'refusal') return [{ kind: 'try-now', label: commonText.tryNow }];
  if (kind === 'alert')
    return endpointId === null
      ? []
      : [{ kind: 'open', label: actionText.showHealth, destination: { kind: 'health', connectionId, endpointId } }];
  const [job, ...others] = jobs;
  // If there are several, each has its own line to open it.
  if (job === undefined || others.length > 0) return [];
  const { key, phase } = job;
  const open: CentreAction = { kind: 'open', label: actionText.open, destination: { kind: 'job', key } };
  switch (kind) {
    case 'stream':
      return [open, { kind: 'stop-waiting', label: actionText.stopWaiting, key }];
    case 'not-known':
      return [{ kind: 'check', label: actionText.check, key, phase }, open];
    case 'unknown':
      return [open];
  }
}
