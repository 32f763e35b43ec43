import type { WebPreferences } from 'electron';

/** The preferences of every window's page: sandboxed, without Node, nothing enabled in addition (docs/security.md). */
export function webPreferences(preloadPath: string): WebPreferences {
  return {
    preload: preloadPath,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    spellcheck: false,
  };
}
