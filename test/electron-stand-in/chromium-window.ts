import { isHeadless } from './shared-chromium.ts';
import type { WebContents } from './web-contents.ts';

/** What Chromium must know of one window. */
export interface ChromiumWindow {
  bringToFront(): void;
  setState(windowState: 'normal' | 'minimized' | 'maximized' | 'fullscreen'): void;
  /** A headless page gets its size by emulation, a visible one by its window. */
  setSize(width: number, height: number): void;
  /** Moves the window, if it is visible. */
  setPlace(bounds: { left: number; top: number; width: number; height: number }): void;
}

/** The Chromium window of `contents`. While it has no page there is no such window, and every call does nothing. */
export function createChromiumWindow(contents: WebContents): ChromiumWindow {
  const tell: WebContents['use'] = async (act) => {
    if (contents.currentTargetId !== null) await contents.use(act);
  };
  const place = (
    bounds:
      | { windowState: 'normal' | 'minimized' | 'maximized' | 'fullscreen' }
      | { left: number; top: number; width: number; height: number },
  ): void =>
    void tell(async (host) => {
      // Asked of the page itself. Asked of the browser, for a page that just closed, Chromium crashes.
      const { windowId } = await host.send('Browser.getWindowForTarget');
      await host.chromium.send('Browser.setWindowBounds', { windowId, bounds });
    });
  return {
    bringToFront: () => void tell((host) => host.send('Page.bringToFront')),
    setState: (windowState) => place({ windowState }),
    setSize(width, height) {
      if (!isHeadless) return;
      const factor = contents.getZoomFactor();
      const metrics = {
        width: Math.round(width / factor),
        height: Math.round(height / factor),
        deviceScaleFactor: factor === 1 ? 0 : factor,
        mobile: false,
      };
      void tell((host) => host.send('Emulation.setDeviceMetricsOverride', metrics));
    },
    setPlace(bounds) {
      if (!isHeadless) place(bounds);
    },
  };
}
