import { useEffect, useRef, type ReactNode } from 'react';

/** What can be done in the pane that is shown, for the palette. The pane itself has the keys. */
export interface PaneAction {
  id: string;
  label: string;
  icon: ReactNode;
  keys?: readonly string[];
  /** Why it is not available now. */
  refusal?: string | undefined;
  run: () => void;
}

interface OfferedActions {
  /** Their heading. */
  title: string;
  actions: () => readonly PaneAction[];
}

const offers = new Set<OfferedActions>();

/** Offers what a pane can do, as it is when the palette asks, for as long as the component is shown. */
export function useOfferedActions(title: string, read: () => readonly PaneAction[]): void {
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  });
  useEffect(() => {
    const offer: OfferedActions = { title, actions: () => latest.current() };
    offers.add(offer);
    return () => void offers.delete(offer);
  }, [title]);
}

/** What the panes on screen offer now, each under its heading. */
export function offeredActions(): { title: string; actions: readonly PaneAction[] }[] {
  return [...offers].map(({ title, actions }) => ({ title, actions: actions() }));
}
