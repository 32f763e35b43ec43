// oxlint-disable-next-line import/default -- Vite makes the default export of this query, which no file has
import threadUrl from './filter-thread.ts?worker&url';

declare global {
  interface Window {
    /** Chromium's Trusted Types, which TypeScript does not know yet. */
    readonly trustedTypes?: {
      /** `createScriptURL` returns a TrustedScriptURL, which a Worker accepts like a URL. */
      createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(input: string): URL };
    };
  }
}

/** The policy of this page. See `threadPolicy`. */
let policy: { createScriptURL(input: string): URL } | null = null;

/**
 * The content security policy lets a window create this one policy, once, and it allows only one address, so that no
 * text can become the address of a script. Null if the browser does not require one.
 */
function threadPolicy(): typeof policy {
  policy ??= window.trustedTypes?.createPolicy('json-filter-thread', { createScriptURL: () => threadUrl }) ?? null;
  return policy;
}

/** Starts the worker that filters JSON. */
export function startFilterThread(): Worker {
  return new Worker(threadPolicy()?.createScriptURL('') ?? threadUrl, { type: 'module', name: 'json-filter' });
}
