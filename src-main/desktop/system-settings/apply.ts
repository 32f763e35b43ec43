import { app, globalShortcut } from 'electron';
import type { Settings, GlobalShortcuts } from '../../../src-preload/settings.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Log } from '../../log.ts';
import { integrationNoticeIds, loginRefusedNotice, shortcutsRefusedNotice } from '../../messages/desktop/notices.ts';
import type { NewNotice } from '../../messages/notices.ts';
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
  const replaceNotice = (id: string, notice: NewNotice | null): void => {
    void engine.handlers['notice:dismiss']({ id }, fromMain);
    if (notice !== null) engine.addNotice(notice);
  };
  const keys = createGlobalKeys({
    open,
    newJob,
    onRefused(refused) {
      const { globalShortcuts } = engine.settings();
      const named = refused.map((one) => globalShortcuts[one]);
      const notice = named.length === 0 ? null : shortcutsRefusedNotice(named, isWayland);
      replaceNotice(integrationNoticeIds.shortcuts, notice);
    },
  });
  app.on('will-quit', () => keys.close());
  const login = createLoginSetting({
    system: loginSystem(),
    follow: (isStartedAtLogin) => changeSettings(engine, { isStartedAtLogin }),
    refused(detail) {
      log.warn('starting at login could not be set', { detail });
      replaceNotice(integrationNoticeIds.login, loginRefusedNotice(detail));
    },
  });
  return () => {
    const { globalShortcuts, isStartedAtLogin } = engine.settings();
    keys.set(globalShortcuts);
    login.settingIs(isStartedAtLogin);
  };
}

/** A global shortcut that the system refused to register. */
type RefusedShortcut = 'open' | 'newJob';

interface GlobalKeysParts {
  open: () => void;
  newJob: () => void;
  /** Called after each change with the refused shortcuts. Usually another program uses the keys. */
  onRefused: (refused: readonly RefusedShortcut[]) => void;
}

/** Shortcuts that work in every other program, if the system allows it. */
function createGlobalKeys(parts: GlobalKeysParts): { set(wanted: GlobalShortcuts): void; close(): void } {
  let set = '';
  const register = (accelerator: string, run: () => void): boolean => {
    try {
      return globalShortcut.register(accelerator, run);
    } catch {
      // Electron throws if it does not know a key.
      return false;
    }
  };
  return {
    set(wanted) {
      if (set === JSON.stringify(wanted)) return;
      set = JSON.stringify(wanted);
      globalShortcut.unregisterAll();
      if (!wanted.isOn) return parts.onRefused([]);
      const refused: RefusedShortcut[] = [];
      if (!register(wanted.open, parts.open)) refused.push('open');
      if (!register(wanted.newJob, parts.newJob)) refused.push('newJob');
      parts.onRefused(refused);
    },
    close: () => globalShortcut.unregisterAll(),
  };
}
