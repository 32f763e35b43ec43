import { extname, join, normalize, sep } from 'node:path';
import { protocol, app, session } from 'electron';
import { readFile } from 'node:fs/promises';
import type { Log } from '../log.ts';

/** Nothing remote, nothing inline; images only from data: and blob: (docs/architecture.md: Security). */
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

/** The content type by ending; bytes of an unknown kind are never guessed at. */
export function contentTypeOf(file: string): string {
  return contentTypes[extname(file)] ?? 'application/octet-stream';
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

/** True where `url` lies under `origin`. A bare prefix match would accept `app://jobdeck.evil`. */
export function isUnderOrigin(url: string, origin: string): boolean {
  return url === origin || url.startsWith(`${origin}/`);
}

/** True for an address that may be handed to the system's browser: https, no credentials in it. */
export function isSafeExternal(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol === 'https:' && parsed.username === '' && parsed.password === '';
}

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

/**
 * No window leaves our pages, opens another or is granted a permission, whatever its content asks
 * (docs/architecture.md: Security). Outgoing links go through `app:openExternal`, after a look.
 */
export function hardenWindows(log: Log): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => {
      if (isTrustedUrl(event.url)) return;
      event.preventDefault();
      log.warn('a window was kept from leaving the app', { url: event.url });
    });
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}

/** Denies every permission; to be called once the app is ready. */
export function denyPermissions(): void {
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.defaultSession.setPermissionCheckHandler(() => false);
}

/** The scheme the packaged windows load from. */
export const appScheme = 'app';

/**
 * The one origin whose frames may use the bridge. Development servers and the Electron stand-in name theirs
 * through the environment; a packaged app listens to neither.
 */
export function trustedOrigin(): string {
  const named = app.isPackaged
    ? undefined
    : (process.env['ELECTRON_RENDERER_URL'] ?? process.env['JOBDECK_APP_ORIGIN']);
  return (named ?? `${appScheme}://jobdeck`).replace(/\/+$/, '');
}

/** True for an address of our own pages. */
export function isTrustedUrl(url: string): boolean {
  return isUnderOrigin(url, trustedOrigin());
}
