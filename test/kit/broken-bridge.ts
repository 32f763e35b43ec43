import type { Page } from '@playwright/test';

/** What a broken call answers: nothing ever, or this. */
export type BrokenAnswer = { kind: 'never' } | { kind: 'answer'; result: unknown };

/**
 * From the next load of the page on, one call of its bridge answers `broken`, whatever it is asked; all others are as
 * they were.
 */
export async function breakCall(page: Page, name: string, broken: BrokenAnswer): Promise<void> {
  await page.addInitScript(interceptBridge, { brokenName: name, broken });
}

/**
 * In the page, before its scripts: the bridge is replaced where it is put in place, because afterwards it cannot be.
 */
function interceptBridge({ brokenName, broken }: { brokenName: string; broken: BrokenAnswer }): void {
  const define = Object.defineProperty.bind(Object);
  Object.defineProperty = <T>(target: T, key: PropertyKey, descriptor: PropertyDescriptor): T => {
    const bridge: Window['bridge'] = key === 'bridge' ? descriptor.value : undefined;
    if (bridge === undefined) return define(target, key, descriptor);
    const call = (...asked: Parameters<typeof bridge.call>): Promise<unknown> => {
      if (asked[0] !== brokenName) return bridge.call(...asked);
      return broken.kind === 'never' ? new Promise(() => {}) : Promise.resolve(broken.result);
    };
    return define(target, key, { ...descriptor, value: { ...bridge, call } });
  };
}
