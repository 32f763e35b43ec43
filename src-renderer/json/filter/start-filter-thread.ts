// oxlint-disable-next-line import/default -- Vite makes the default export of this query, which no file has
import threadUrl from './filter-thread.ts?worker&url';

declare global {
  interface Window {
    /** Chromium's Trusted Types, which TypeScript does not know yet. */
    readonly trustedTypes?: {
      /** What `createScriptURL` gives is a TrustedScriptURL: a Worker takes it as it takes a URL. */
      createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(input: string): URL };
    };
  }
}

/** The policy of this page; see `threadPolicy`. */
let policy: { createScriptURL(input: string): URL } | null = null;

/**
 * The content security policy lets windows make this one policy, once, and it knows one address: so no text can ever
 * become the address of a script. Null where nothing asks for one.
 */
function threadPolicy(): typeof policy {
  policy ??= window.trustedTypes?.createPolicy('json-filter-thread', { createScriptURL: () => threadUrl }) ?? null;
  return policy;
}

/** Starts the thread that filters JSON. */
export function startFilterThread(): Worker {
  return new Worker(threadPolicy()?.createScriptURL('') ?? threadUrl, { type: 'module', name: 'json-filter' });
}
