import { useLayoutEffect, useState, type RefObject } from 'react';
import { usePlainKeys } from '../design/keyboard/use-keys.ts';
import { paneTabs, usePaneTab } from '../navigation/pane-tab.ts';
import { usePaneState } from './pane-state.ts';
import type { Job } from '../../src-preload/job.ts';
import { useCall } from '../data/calls.ts';
import { useSession } from '../data/session-store.ts';

/**
 * The pane's own keys (design language: Keyboard): its tabs, and following the stream. The actions on the job are
 * commands of the window (`commands/`).
 */
export function usePaneKeys(jobKey: string): void {
  usePlainKeys(({ key, shiftKey }) => !shiftKey && handle(key, jobKey));
}

function handle(key: string, jobKey: string): boolean {
  const pane = usePaneState.getState();
  if (key.toLowerCase() === 'f') {
    pane.setFollowing(jobKey, !(pane.following[jobKey] ?? true));
    return true;
  }
  const tab = /^[1-9]$/.test(key) ? paneTabs[Number(key) - 1] : undefined;
  if (tab !== undefined) usePaneTab.getState().setTab(tab);
  return tab !== undefined;
}

/** What the size of a job's pane leaves room for. */
interface PaneRoom {
  /** The facts fit beside the longest lines of an output. */
  isWide: boolean;
  /** Below a few words about an empty output, the input fits. */
  isTall: boolean;
}

/** Lines of at most 720 px with their padding, and the narrowest column of facts. */
const wideFromPx = 1_080;
const tallFromPx = 720;

/** The room of the element that `ref` has. Drawn again only when it changes, and not for every size between. */
export function usePaneRoom(ref: RefObject<HTMLElement | null>): PaneRoom {
  const [room, setRoom] = useState<PaneRoom>({ isWide: false, isTall: false });
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const isWide = element.clientWidth >= wideFromPx;
      const isTall = element.clientHeight >= tallFromPx;
      setRoom((before) => (before.isWide === isWide && before.isTall === isTall ? before : { isWide, isTall }));
    };
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return room;
}

/** Printed lines are large, so they are not cached when nothing shows them. Events say when there are more. */
export const printedCaching = { unusedMs: 0, isKeptByEvents: true } as const;

/** Whether the job's handler printed something. Undefined: not read yet. Only the sandbox tells what handlers print. */
export function useHasPrinted(job: Job): boolean | undefined {
  const isOfRealService = useSession(({ connections }) =>
    connections.some(({ id, isSandbox }) => id === job.connectionId && !isSandbox),
  );
  const { data, error } = useCall('job:printedLines', isOfRealService ? null : { key: job.key }, printedCaching);
  if (isOfRealService) return false;
  return error !== null ? true : data === undefined ? undefined : data !== null;
}
