import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { startupText } from '../../messages/desktop/system-entries.ts';
import { autostartFile, isAutostartOn } from './desktop-files.ts';
import type { LoginSystem } from './login-setting.ts';
import { hiddenArgument } from './start-arguments.ts';

/** The file that makes a Linux desktop start Jobdeck at login (Desktop Application Autostart Specification). */
function autostartPath(env: NodeJS.ProcessEnv): string {
  const config = env['XDG_CONFIG_HOME'];
  const folder = config !== undefined && config.startsWith('/') ? config : join(homedir(), '.config');
  return join(folder, 'autostart', 'dev.jobdeck.app.desktop');
}

/** The program as the system starts it. For an AppImage that is its own file, not the directory it is mounted at. */
function startCommand(env: NodeJS.ProcessEnv): string[] {
  const appImage = env['APPIMAGE'];
  if (appImage !== undefined && appImage.startsWith('/')) return [appImage];
  return app.isPackaged ? [process.execPath] : [process.execPath, app.getAppPath()];
}

const linux: LoginSystem = {
  async isOn() {
    return isAutostartOn(await readFile(autostartPath(process.env), 'utf8').catch(() => null));
  },
  async set(isOn) {
    const path = autostartPath(process.env);
    if (!isOn) return rm(path, { force: true });
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, autostartFile([...startCommand(process.env), hiddenArgument]), { mode: 0o644 });
  },
  renew: () => linux.set(true),
};

const mac: LoginSystem = {
  async isOn() {
    return app.getLoginItemSettings().openAtLogin;
  },
  async set(isOn) {
    app.setLoginItemSettings({ openAtLogin: isOn });
    if (isOn && app.getLoginItemSettings().status === 'requires-approval') throw new Error(startupText.needsApproval);
  },
};

/** Windows finds an entry only by the program and the arguments it was created with. */
const windowsEntry = { path: process.execPath, args: [hiddenArgument] };
const windows: LoginSystem = {
  async isOn() {
    const { openAtLogin, executableWillLaunchAtLogin } = app.getLoginItemSettings(windowsEntry);
    return openAtLogin && executableWillLaunchAtLogin;
  },
  async set(isOn) {
    app.setLoginItemSettings({ openAtLogin: isOn, ...windowsEntry });
  },
};

/** The login setting of this system. */
export function loginSystem(): LoginSystem {
  switch (process.platform) {
    case 'darwin':
      return mac;
    case 'win32':
      return windows;
    default:
      return linux;
  }
}

/** Whether this start shows no window. */
export function isHiddenStart(): boolean {
  if (process.argv.includes(hiddenArgument)) return true;
  return process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
}
