import type { WebPreferences } from 'electron';

/** What every window asks of its page: the sandbox, no Node, nothing switched on besides (docs/security.md). */
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
