import { app } from 'electron';
import type { Settings } from '../../src-preload/settings.ts';
import type { Engine } from '../engine/engine.ts';
import type { Log } from '../log.ts';
import { createGlobalKeys, type RefusedShortcut } from './global-keys.ts';
import { refusedSettingNotice } from './desktop-notices.ts';
import { createLoginSetting } from './login-setting.ts';
import { loginSystem } from './login-start.ts';

/** The sender of calls that come from main, not from a window. */
export const fromMain = { windowId: -1 };

/** Changes settings by the same call as a window. */
export function changeSettings(engine: Pick<Engine, 'handlers'>, change: Partial<Settings>): void {
  void engine.handlers['settings:change'](change, fromMain);
}

/**
 * Applies the settings to the system, and reports what the system refuses. Call the returned function after each change
 * of the settings.
 */
export function createSystemSettings(
  engine: Pick<Engine, 'handlers' | 'settings' | 'addNotice'>,
  { open, newJob, isWayland, log }: { open: () => void; newJob: () => void; isWayland: boolean; log: Log },
): () => void {
  const reportRefused = (what: 'login' | 'shortcuts', refused: readonly RefusedShortcut[], detail: string): void => {
    void engine.handlers['notice:dismiss']({ id: `integration-${what}` }, fromMain);
    if (what === 'login' || refused.length > 0)
      engine.addNotice(refusedSettingNotice(what, refused, { ...engine.settings(), isWayland }, detail));
  };
  const keys = createGlobalKeys({ open, newJob, onRefused: (refused) => reportRefused('shortcuts', refused, '') });
  app.on('will-quit', () => keys.close());
  const login = createLoginSetting({
    system: loginSystem(),
    follow: (isStartedAtLogin) => changeSettings(engine, { isStartedAtLogin }),
    refused(detail) {
      log.warn('starting at login could not be set', { detail });
      reportRefused('login', [], detail);
    },
  });
  return () => {
    const { globalShortcuts, isStartedAtLogin } = engine.settings();
    keys.set(globalShortcuts);
    login.settingIs(isStartedAtLogin);
  };
}
