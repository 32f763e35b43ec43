import type { Page } from '@playwright/test';

declare global {
  interface Window {
    heldTimers?: { delaysMs: Set<number>; waiting: Map<number, { run: () => void; delayMs: number }> };
  }
}

/**
 * Holds the timers that this window sets from now on with one of these delays (in ms): they end by `endTimers`, or
 * never. A slow machine would otherwise be too late for an offer, or for a value that is shown for a few seconds.
 */
export function holdTimers(page: Page, ...delaysMs: number[]): Promise<void> {
  return page.evaluate(hold, delaysMs);
}

/** As `holdTimers`, in each page that this window loads from now on. */
export function holdTimersOfPages(page: Page, ...delaysMs: number[]): Promise<unknown> {
  return page.addInitScript(hold, delaysMs);
}

/** In the window. */
function hold(delays: number[]): void {
  if (window.heldTimers === undefined) {
    const held: NonNullable<Window['heldTimers']> = { delaysMs: new Set(), waiting: new Map() };
    window.heldTimers = held;
    const set = window.setTimeout.bind(window);
    const clear = window.clearTimeout.bind(window);
    let lastId = 0;
    Reflect.set(window, 'setTimeout', (run: () => void, delayMs?: number, ...given: unknown[]): number => {
      if (delayMs === undefined || !held.delaysMs.has(delayMs)) return set(run, delayMs, ...given);
      // Ids of the browser's own timers are positive.
      lastId -= 1;
      held.waiting.set(lastId, { run, delayMs });
      return lastId;
    });
    Reflect.set(window, 'clearTimeout', (id?: number): void => {
      if (id === undefined || !held.waiting.delete(id)) clear(id);
    });
  }
  for (const delayMs of delays) window.heldTimers.delaysMs.add(delayMs);
}

/** Ends the timers with this delay that are held, as if their time had passed. */
export function endTimers(page: Page, delayMs: number): Promise<void> {
  return page.evaluate((wanted) => {
    const waiting = window.heldTimers?.waiting ?? new Map<number, { run: () => void; delayMs: number }>();
    for (const [id, { run, delayMs: heldMs }] of waiting) {
      if (heldMs !== wanted) continue;
      waiting.delete(id);
      run();
    }
  }, delayMs);
}

/** How long a toast without an action is shown, in ms. */
export const TOAST_MS = 5_000;

/** Toasts of this window, with their offers to undo, stay until they are dismissed. */
export function holdToasts(page: Page): Promise<void> {
  return holdTimers(page, TOAST_MS, 8_000, 9_000);
}

/** How long a value that is normally masked is shown: a timer for `holdTimers`, in ms. */
export const REVEALED_MS = 10_000;
