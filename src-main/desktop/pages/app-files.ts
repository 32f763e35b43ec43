import { extname, join, normalize, sep } from 'node:path';

/** Nothing remote, nothing inline; images only from data: and blob: (docs/architecture.md: Security). */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  // Audio and video in an output, only from its saved bytes.
  'media-src blob:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The only script that a window starts by its address: the worker that filters JSON (docs/decisions/058).
  'trusted-types json-filter-thread',
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

/** The content type by file extension. It is never guessed from the content. */
export function contentTypeOf(file: string): string {
  return contentTypes[extname(file)] ?? 'application/octet-stream';
}

/** The file of a path. Null if it would be outside `rendererDir`. */
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

/** The scheme of the packaged windows' addresses. */
export const appScheme = 'app';

/**
 * The only origin whose frames may use the bridge. Development servers and the Electron stand-in set theirs through the
 * environment; a packaged app ignores that. Compared as text, because Node's `URL` returns `null` for the origin of
 * this scheme.
 */
export function pageOrigin(isPackaged: boolean, env: NodeJS.ProcessEnv): string {
  const named = isPackaged ? undefined : (env['ELECTRON_RENDERER_URL'] ?? env['JOBDECK_APP_ORIGIN']);
  return (named ?? `${appScheme}://jobdeck`).replace(/\/+$/, '');
}

/** True if `url` is under `origin`. Comparing the prefix alone would accept `app://jobdeck.evil`. */
export function isUnderOrigin(url: string, origin: string): boolean {
  return url === origin || url.startsWith(`${origin}/`);
}

/** True for an address that the system's browser may open: https, without credentials in it. */
export function isSafeExternal(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol === 'https:' && parsed.username === '' && parsed.password === '';
}
