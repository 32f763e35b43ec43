import { protocol, app, session, type WebPreferences } from 'electron';
import { readFile } from 'node:fs/promises';
import { appScheme, contentSecurityPolicy, contentTypeOf, fileFor, isUnderOrigin, pageOrigin } from './app-files.ts';
import type { Log } from '../../log.ts';

/**
 * Must be called before the app is ready. The scheme gets an origin of its own, so that storage and CSP apply to it.
 */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves the built windows from `rendererDir`, and nothing outside of it. */
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

/**
 * No window navigates away from our pages, opens another window or is granted a permission, whatever its content
 * requests (docs/architecture.md: Security). Outgoing links go through `app:openExternal`, which checks them.
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

/** Denies every permission and every download. Main saves files. Must be called when the app is ready. */
export function denyPermissions(log: Log): void {
  session.defaultSession.on('will-download', (event, item) => {
    event.preventDefault();
    log.warn('a window was kept from downloading', { url: item.getURL().slice(0, 200) });
  });
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.defaultSession.setPermissionCheckHandler(() => false);
}

/** Whether pages run outside of the system's sandbox. An AppImage is started like this if the system has none. */
export function isWithoutSandbox(): boolean {
  return app.commandLine.hasSwitch('no-sandbox') || process.env['ELECTRON_DISABLE_SANDBOX'] !== undefined;
}

/** The origin of this process's pages (see `pageOrigin`). */
export function trustedOrigin(): string {
  return pageOrigin(app.isPackaged, process.env);
}

/** True for an address of our own pages. */
export function isTrustedUrl(url: string): boolean {
  return isUnderOrigin(url, trustedOrigin());
}
