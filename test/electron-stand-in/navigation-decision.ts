import { preventable } from './guard.ts';
import type { WebContents } from './web-contents.ts';

/** Decides which new main documents a window's contents may load. */
export interface NavigationDecision {
  /** Main itself loads `url` next: the app is not asked about that. */
  expect(url: string): void;
  /** Called for requests of a new main document. False if the app prevented the navigation. */
  mayNavigate(url: string): boolean;
}

/**
 * Asks the app through `will-frame-navigate` and `will-navigate` of `contents` about everything that the page started,
 * but not about main's own loads or reloads.
 */
export function createNavigationDecision(contents: WebContents): NavigationDecision {
  const expected = new Set<string>();
  return {
    expect: (url) => void expected.add(withoutHash(url)),
    mayNavigate(url) {
      if (expected.delete(withoutHash(url)) || withoutHash(url) === withoutHash(contents.getURL())) return true;
      const details = {
        url,
        isMainFrame: true,
        isSameDocument: false,
        frame: contents.mainFrame,
        initiator: contents.mainFrame,
      };
      const frameEvent = preventable(details);
      contents.emit('will-frame-navigate', frameEvent);
      if (frameEvent.defaultPrevented) return false;
      const event = preventable(details);
      contents.emit('will-navigate', event, url);
      return !event.defaultPrevented;
    },
  };
}

/** The address without what only the page itself reads. */
export function withoutHash(url: string): string {
  return url.split('#')[0] ?? url;
}
