import type { JobView } from './history.ts';
import { jobViews } from './job-views.ts';

/** What a notification, the tray, a menu or another window shows in the main window. */
export type Destination =
  | { kind: 'home' }
  | { kind: 'job'; key: string }
  /** The composer, with what this job was submitted with. */
  | { kind: 'edit-job'; key: string }
  | { kind: 'new-job'; endpointId?: string; inputText?: string }
  | { kind: 'batch'; id: string }
  | { kind: 'notifications' }
  | { kind: 'failed' }
  /** The list at a place, filtered. The tokens are in the syntax of the filter box. */
  | { kind: 'list'; view: JobView; endpointId: string | null; tokens: string; text: string }
  | { kind: 'connection'; id: string }
  | { kind: 'pane'; pane: PlainPane }
  /** Jobs or attempts side by side. Null: the newest attempt. */
  | { kind: 'compare'; sides: readonly { key: string; attempt: number | null }[] }
  /** Null for all endpoints of the connection together. */
  | { kind: 'health'; connectionId: string; endpointId: string | null };

/** How many jobs or attempts are compared at a time. */
export const maxCompared = 4;

/** The panes of the main window that show the same whatever led there. */
export const plainPanes = ['sandbox', 'pods', 'templates', 'failures', 'bin'] as const;
type PlainPane = (typeof plainPanes)[number];

/** The address of a main window that opens at `destination`. Pure. `readDestination` reads it. */
export function destinationRoute(destination: Destination): string {
  switch (destination.kind) {
    case 'home':
      return '/';
    case 'job':
      return `/?job=${encodeURIComponent(destination.key)}`;
    case 'edit-job':
      return `/?edit-job=${encodeURIComponent(destination.key)}`;
    case 'new-job': {
      const { endpointId, inputText } = destination;
      const endpoint = endpointId === undefined ? '' : `&endpoint=${encodeURIComponent(endpointId)}`;
      const input = inputText === undefined ? '' : `&input=${encodeURIComponent(inputText)}`;
      return `/?new-job${endpoint}${input}`;
    }
    case 'batch':
      return `/?batch=${encodeURIComponent(destination.id)}`;
    case 'notifications':
      return '/?notifications';
    case 'failed':
      return '/?failed';
    case 'list': {
      const { view, endpointId, tokens, text } = destination;
      const endpoint = endpointId === null ? '' : `&endpoint=${encodeURIComponent(endpointId)}`;
      return `/?list=${view}${endpoint}&tokens=${encodeURIComponent(tokens)}&text=${encodeURIComponent(text)}`;
    }
    case 'connection':
      return `/?connection=${encodeURIComponent(destination.id)}`;
    case 'pane':
      return `/?pane=${destination.pane}`;
    case 'compare':
      return `/?compare=${destination.sides.map(writeSide).join()}`;
    case 'health': {
      const { connectionId, endpointId } = destination;
      const connection = `/?health=${encodeURIComponent(connectionId)}`;
      return endpointId === null ? connection : `${connection}/${encodeURIComponent(endpointId)}`;
    }
  }
}

/** The destination in a main window's route, or `home`. */
export function readDestination(route: string): Destination {
  const [, query] = /\?(.*)$/s.exec(route) ?? [];
  // Each value is written encoded, so that only `&` and `=` of the address itself divide it.
  const [first, ...others] = (query ?? '').split('&').map((part) => part.split('='));
  const fields = new Map(others.map(([name = '', value = '']) => [name, decodeURIComponent(value)]));
  const [kind = '', value] = first ?? [];
  return (value === undefined ? readPlain(kind, fields) : readOf(kind, value, fields)) ?? { kind: 'home' };
}

/** A destination whose name stands alone, or null. */
function readPlain(kind: string, fields: ReadonlyMap<string, string>): Destination | null {
  if (kind === 'notifications' || kind === 'failed') return { kind };
  if (kind !== 'new-job') return null;
  const [endpointId, inputText] = [fields.get('endpoint'), fields.get('input')];
  return { kind, ...(endpointId !== undefined && { endpointId }), ...(inputText !== undefined && { inputText }) };
}

/** A destination with a value, which is still encoded, or null. */
function readOf(kind: string, value: string, fields: ReadonlyMap<string, string>): Destination | null {
  const text = decodeURIComponent(value);
  switch (kind) {
    case 'job':
    case 'edit-job':
      return { kind, key: text };
    case 'batch':
    case 'connection':
      return { kind, id: text };
    case 'list': {
      const view = jobViews.find((one) => one === text);
      const [tokens = '', words = ''] = [fields.get('tokens'), fields.get('text')];
      return view === undefined
        ? null
        : { kind, view, endpointId: fields.get('endpoint') ?? null, tokens, text: words };
    }
    case 'pane': {
      const pane = plainPanes.find((one) => one === text);
      return pane === undefined ? null : { kind, pane };
    }
    case 'compare':
      return { kind, sides: value.split(',').map(readSide) };
    case 'health': {
      const [connectionId = '', endpointId] = value.split('/').map(decodeURIComponent);
      return { kind, connectionId, endpointId: endpointId ?? null };
    }
    default:
      return null;
  }
}

function writeSide({ key, attempt }: { key: string; attempt: number | null }): string {
  return `${encodeURIComponent(key)}:${attempt ?? ''}`;
}

function readSide(side: string): { key: string; attempt: number | null } {
  const [key = '', attempt = ''] = side.split(':');
  return { key: decodeURIComponent(key), attempt: attempt === '' ? null : Number(attempt) };
}
