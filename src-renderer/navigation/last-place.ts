import { jobViews } from '../../src-preload/job-views.ts';
import { call } from '../bridge.ts';
import { hint } from '../call-or-report.ts';
import { type Place } from '../data/query-to-job-filter.ts';
import { parseQuery, tokenText, type FilterQuery } from '../data/parse-filter.ts';
import { useJobs } from '../data/jobs-store.ts';
import { isOneOf } from '../data/parse-filter-values.ts';
import { createThrottle } from '../data/throttle.ts';
import { currentConnection, useSession } from '../data/session-store.ts';
import { useShell, type Pane } from './shell-store.ts';

/** Where the main window was when it was closed: its place, filter, job, and the pane shown instead of the list. */
export interface LastPlace {
  /** The connection of that place. */
  connectionId: string | null;
  place: Place;
  query: FilterQuery;
  selectedKey: string | null;
  isDetailOpen: boolean;
  pane: Pane;
}

/** The focused job, and whether it was open. */
export type LastJob = Pick<LastPlace, 'selectedKey' | 'isDetailOpen'>;

const slot = 'main-window';
const keepEveryMs = 300;

/** The place as a text for the disk. The filter is in the syntax of the filter box. */
export function writeLastPlace({ query, ...rest }: LastPlace): string {
  return JSON.stringify({ ...rest, tokens: query.tokens.map(tokenText).join(' '), text: query.text });
}

/** The saved place. Null if it was written by another version. */
export function readLastPlace(text: string): LastPlace | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const { connectionId, place, tokens, text: words, selectedKey, isDetailOpen, pane } = fieldsOf(value);
  const { view, endpointId, batchId } = fieldsOf(place);
  if (typeof view !== 'string' || !isOneOf(jobViews, view)) return null;
  if (typeof tokens !== 'string' || typeof words !== 'string') return null;
  return {
    connectionId: textOrNull(connectionId),
    place: {
      view,
      endpointId: textOrNull(endpointId),
      ...(typeof batchId === 'string' ? { batchId } : {}),
    },
    query: { tokens: parseQuery(tokens, true).tokens, text: words },
    selectedKey: textOrNull(selectedKey),
    isDetailOpen: isDetailOpen === true,
    pane: readPane(pane),
  };
}

function readPane(value: unknown): Pane {
  const { kind, endpointId } = fieldsOf(value);
  switch (kind) {
    case 'health':
      return { kind, endpointId: textOrNull(endpointId) };
    case 'sandbox':
    case 'pods':
    case 'failures':
    case 'bin':
    case 'templates':
      return { kind };
    default:
      return { kind: 'jobs' };
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Saves the place of the window from now on. Returns the function that stops that. */
export function saveLastPlace(): () => void {
  let hasChanged = false;
  const keep = (): void => {
    hasChanged = false;
    const { place, query, selectedKey, isDetailOpen } = useJobs.getState();
    const connectionId = currentConnection(useSession.getState())?.id ?? null;
    const { pane } = useShell.getState();
    hint('draft:save', {
      slot,
      text: writeLastPlace({ connectionId, place, query, selectedKey, isDetailOpen, pane }),
    });
  };
  const keepThrottled = createThrottle(keepEveryMs, () => {
    if (hasChanged) keep();
  });
  const saveSoon = (): void => {
    hasChanged = true;
    keepThrottled();
  };
  const keepIfWaiting = (): void => {
    if (hasChanged) keep();
  };
  const endJobs = useJobs.subscribe((state, before) => {
    if (
      state.place !== before.place ||
      state.query !== before.query ||
      state.selectedKey !== before.selectedKey ||
      state.isDetailOpen !== before.isDetailOpen
    )
      saveSoon();
  });
  const endShell = useShell.subscribe((state, before) => {
    if (state.pane !== before.pane) saveSoon();
  });
  window.addEventListener('pagehide', keepIfWaiting);
  return () => {
    keepIfWaiting();
    endJobs();
    endShell();
    window.removeEventListener('pagehide', keepIfWaiting);
  };
}

/**
 * Restores the place before the list is first read. Does nothing if the window was opened for something else, or the
 * place belongs to another connection. Returns the job that was focused.
 */
export async function restoreLastPlace(): Promise<LastJob | null> {
  const fresh = { jobs: useJobs.getState(), pane: useShell.getState().pane };
  const kept = await call('draft:load', { slot });
  const last = kept.ok && kept.value !== null ? readLastPlace(kept.value.text) : null;
  const { place, query, selectedKey } = useJobs.getState();
  const hasMoved =
    selectedKey !== null ||
    place !== fresh.jobs.place ||
    query !== fresh.jobs.query ||
    useShell.getState().pane !== fresh.pane;
  if (last === null || hasMoved) return null;
  if (last.connectionId !== (currentConnection(useSession.getState())?.id ?? null)) return null;
  useJobs.setState({ place: last.place, query: last.query });
  useShell.getState().set({ pane: last.pane });
  const there = last.selectedKey === null ? null : await call('job:get', { key: last.selectedKey });
  return there?.ok === false ? null : last;
}
