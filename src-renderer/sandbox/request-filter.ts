import type { SandboxRequest } from '../../src-preload/sandbox.ts';

/** The outcome of a request, by which the list colours and counts it. */
export type StatusClass = 'done' | 'limited' | 'refused' | 'failed' | 'dropped';

/** 429 is separate from other refusals, because it only asks to wait. 0 means that no answer was sent. */
export function statusClass(status: number): StatusClass {
  if (status === 0) return 'dropped';
  if (status === 429) return 'limited';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'done';
}

export type RequestChoice = 'all' | StatusClass | 'faulted';

/** In the order shown. */
export const requestChoices: readonly RequestChoice[] = [
  'all',
  'done',
  'limited',
  'refused',
  'failed',
  'dropped',
  'faulted',
];

export interface RequestFilter {
  text: string;
  choice: RequestChoice;
  /** Null for all. */
  endpointId: string | null;
}

export const noFilter: RequestFilter = { text: '', choice: 'all', endpointId: null };

/** Whether a filter hides anything. */
export function isFiltering(filter: RequestFilter): boolean {
  return filter.text.trim() !== '' || filter.choice !== 'all' || filter.endpointId !== null;
}

function searchableText({ method, operation, endpointId, jobId, status, fault }: SandboxRequest): string {
  return `${method} ${operation} ${endpointId ?? ''} ${jobId ?? ''} ${status} ${fault ?? ''}`.toLowerCase();
}

/**
 * The requests of this endpoint that contain every word of the text. The chosen status is ignored, because the counts
 * of all statuses are shown.
 */
export function matchingRequests(
  requests: readonly SandboxRequest[],
  { text, endpointId }: Pick<RequestFilter, 'text' | 'endpointId'>,
): readonly SandboxRequest[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0 && endpointId === null) return requests;
  return requests.filter((request) => {
    if (endpointId !== null && request.endpointId !== endpointId) return false;
    const own = words.length === 0 ? '' : searchableText(request);
    return words.every((word) => own.includes(word));
  });
}

/** Whether a request matches the choice. */
export function isChosen(request: SandboxRequest, choice: RequestChoice): boolean {
  if (choice === 'all') return true;
  return choice === 'faulted' ? request.fault !== null : statusClass(request.status) === choice;
}

/** How many of the requests match each choice. */
export function countChoices(requests: readonly SandboxRequest[]): Record<RequestChoice, number> {
  const counts: Record<RequestChoice, number> = {
    all: requests.length,
    done: 0,
    limited: 0,
    refused: 0,
    failed: 0,
    dropped: 0,
    faulted: 0,
  };
  for (const { status, fault } of requests) {
    counts[statusClass(status)] += 1;
    if (fault !== null) counts.faulted += 1;
  }
  return counts;
}
