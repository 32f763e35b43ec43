import { formatCountOf } from '../../../src-preload/format.ts';
import type { FoundRequest, RequestSource } from './found-request.ts';
import type { FilledDraft } from './fill-draft.ts';

const sourceNames: Readonly<Record<RequestSource, string>> = {
  curl: 'a cURL command',
  powershell: 'a PowerShell command',
  fetch: 'a fetch call',
  'sdk-js': 'a runpod-sdk call',
  'sdk-python': 'a runpod call in Python',
  requests: 'a Python request',
  http: 'an HTTP request',
};

/** `Filled from a cURL command.` */
export function filledTitle({ source }: FoundRequest): string {
  return `Filled from ${sourceNames[source]}.`;
}

/** The result: the destination, how many keys, what happened to its API key, and what was left out. */
export function filledDetail({ draft, notes, keys }: FilledDraft, request: FoundRequest, endpoint: string): string {
  return [
    `${endpoint}, ${draft.operation}, ${formatCountOf(keys, 'key')}.`,
    ...(request.key === null ? [] : ['Its API key was discarded; the connection still uses yours.']),
    ...notes,
  ].join(' ');
}

/** The message for a snippet whose input could not be read. */
export function unreadDetail(request: FoundRequest): string {
  return [
    `No input could be read from ${sourceNames[request.source]}.`,
    ...request.unread,
    ...(request.key === null ? [] : ['Its API key was discarded.']),
  ].join(' ');
}

export const nothingFound = {
  title: 'No request found in the clipboard.',
  detail: 'Jobdeck reads cURL, PowerShell, fetch, runpod-sdk, Python requests and plain HTTP.',
} as const;
