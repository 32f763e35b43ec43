import type { PreloadWorldNames } from './preload-world.ts';
import type { createWorldLink as CreateWorldLink } from './world-link.ts';

/** The part of the names that this world uses. */
type PageWorldNames = Pick<PreloadWorldNames, 'toPage' | 'toPreload' | 'closeWindow' | 'openWindow' | 'isInSubFrames'>;

/**
 * Runs in the page's own world before any script of the page, and receives what the preload exposes. Source text, so it
 * must not use anything outside itself.
 */
export function startPageWorld(createWorldLink: typeof CreateWorldLink, names: PageWorldNames): void {
  const isMainFrame = window === window.top;
  if (!isMainFrame && !names.isInSubFrames) return;
  const page = document;
  const dispatch = page.dispatchEvent.bind(page);
  const freeze = (value: unknown): void => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || Object.isFrozen(value)) return;
    if (ArrayBuffer.isView(value)) return;
    Object.freeze(value);
    for (const one of Object.values(value)) freeze(one);
  };
  createWorldLink(
    { say: names.toPreload, hear: names.toPage },
    (key, api) => {
      freeze(api);
      Object.defineProperty(window, key, { value: api, enumerable: true, configurable: false, writable: false });
    },
    new WeakSet(),
  );
  if (!isMainFrame) return;
  // Chromium would open a window before main is asked. Electron asks first and returns null for a denial.
  window.open = (url, frameName, features) => {
    const detail = JSON.stringify({
      target: new URL(url ?? 'about:blank', window.location.href).href,
      frameName: frameName ?? '',
      features: features ?? '',
    });
    dispatch(new CustomEvent(names.openWindow, { detail }));
    return null;
  };
  // Chromium lets a script close only windows that scripts opened. In Electron, main is asked to close the window.
  window.close = () => {
    dispatch(new Event(names.closeWindow));
  };
}
