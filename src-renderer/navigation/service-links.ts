import { SquareTerminal } from 'lucide-react';
import { createElement } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import type { Attempt, Job } from '../../src-preload/job.ts';
import { filledLink } from '../../src-preload/link-template.ts';
import type { MenuEntry } from '../design/menu/menu.tsx';
import { serviceLinkText } from '../messages/navigation.tsx';
import { askToOpen } from './open-requests.ts';

/** Asks before an address of the connection's settings is opened. */
export function askServiceLink(url: string): void {
  askToOpen(url, serviceLinkText.owner);
}

/** The page of an endpoint in the service's console. Null if the connection has no link to it. Pure. */
export function consoleLink(connection: Connection | undefined, endpointId: string): string | null {
  return filledLink(connection?.consoleUrl, { endpoint_id: endpointId });
}

/**
 * The log of an attempt at the service. Undefined if the connection has no link to logs, null if an id in it is not
 * known. Pure.
 */
export function logLink(
  connection: Connection | undefined,
  { endpointId, jobId }: Pick<Job, 'endpointId' | 'jobId'>,
  attempt: Pick<Attempt, 'workerId'> | null,
): string | null | undefined {
  const template = connection?.logUrl ?? '';
  if (template === '') return undefined;
  return filledLink(template, { endpoint_id: endpointId, job_id: jobId, worker_id: attempt?.workerId ?? null });
}

/** Opens the endpoint in the service's console. Without a link to it, there is no entry. */
export function consoleItems(connection: Connection | undefined, endpointId: string): MenuEntry[] {
  const url = consoleLink(connection, endpointId);
  if (url === null) return [];
  return [
    {
      kind: 'item',
      label: serviceLinkText.console,
      icon: createElement(SquareTerminal),
      onSelect: () => askServiceLink(url),
    },
  ];
}
