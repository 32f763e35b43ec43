import { protocol } from 'electron';
import { readFile } from 'node:fs/promises';
import { contentSecurityPolicy, contentTypeOf, fileFor } from './app-files.ts';
import { appScheme } from './origin.ts';

/** Must run before the app is ready: the scheme gets an origin of its own, so storage and CSP hold for it. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built windows from `rendererDir` and nothing outside it. */
export function serveApp(rendererDir: string): void {
  protocol.handle(appScheme, async (request) => {
    const headers = {
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    };
    const file = fileFor(rendererDir, new URL(request.url).pathname);
    if (request.method !== 'GET' || file === null) return new Response('Not found', { status: 404, headers });
    try {
      const body = await readFile(file);
      return new Response(new Uint8Array(body), { headers: { ...headers, 'content-type': contentTypeOf(file) } });
    } catch {
      return new Response('Not found', { status: 404, headers });
    }
  });
}
