import { protocol } from 'electron';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { appScheme } from './origin.ts';

/** Nothing remote, nothing inline; images only from data: and blob: (architecture.md, Security). */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Must run before the app is ready: the scheme gets an origin of its own, so storage and CSP hold for it. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } }]);
}

/** Serves the built windows from `rendererDir` and nothing outside it. */
export function serveApp(rendererDir: string): void {
  protocol.handle(appScheme, async (request) => {
    const headers = { 'content-security-policy': contentSecurityPolicy, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };
    const file = fileFor(rendererDir, new URL(request.url).pathname);
    if (request.method !== 'GET' || file === null) return new Response('Not found', { status: 404, headers });
    try {
      const body = await readFile(file);
      return new Response(new Uint8Array(body), { headers: { ...headers, 'content-type': contentTypes[extname(file)] ?? 'application/octet-stream' } });
    } catch {
      return new Response('Not found', { status: 404, headers });
    }
  });
}

/** The file a path names, or null where it would leave `rendererDir`. */
export function fileFor(rendererDir: string, pathname: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  const file = normalize(join(rendererDir, decoded === '/' ? '/index.html' : decoded));
  return file.startsWith(rendererDir + sep) ? file : null;
}
