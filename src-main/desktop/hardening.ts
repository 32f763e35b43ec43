import { app, session } from 'electron';
import type { Log } from '../log.ts';
import { isTrustedUrl } from './origin.ts';

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
