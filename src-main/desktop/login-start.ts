import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { autostartFile } from './autostart-file.ts';

/** Given to a start that is to show no window: it begins in the tray. */
export const hiddenArgument = '--hidden';

/** The file that has a Linux desktop start Jobdeck at login (Desktop Application Autostart Specification). */
function autostartPath(env: NodeJS.ProcessEnv): string {
  const config = env['XDG_CONFIG_HOME'];
  const folder = config !== undefined && config.startsWith('/') ? config : join(homedir(), '.config');
  return join(folder, 'autostart', 'dev.jobdeck.app.desktop');
}

/** The program as the system starts it: an AppImage is its own file, not the one it is mounted as. */
function startCommand(env: NodeJS.ProcessEnv): string[] {
  const appImage = env['APPIMAGE'];
  if (appImage !== undefined && appImage.startsWith('/')) return [appImage];
  return app.isPackaged ? [process.execPath] : [process.execPath, app.getAppPath()];
}

/** Has the system start Jobdeck at login, without a window, or no longer. Rejects where it refuses. */
export async function setStartAtLogin(isOn: boolean): Promise<void> {
  switch (process.platform) {
    case 'darwin':
      app.setLoginItemSettings({ openAtLogin: isOn });
      return;
    case 'win32':
      app.setLoginItemSettings({ openAtLogin: isOn, path: process.execPath, args: [hiddenArgument] });
      return;
    default: {
      const path = autostartPath(process.env);
      if (!isOn) {
        await rm(path, { force: true });
        return;
      }
      const wanted = autostartFile([...startCommand(process.env), hiddenArgument]);
      const present = await readFile(path, 'utf8').catch(() => null);
      if (present === wanted) return;
      await mkdir(join(path, '..'), { recursive: true });
      await writeFile(path, wanted, { mode: 0o644 });
    }
  }
}

/** Whether this start is to show no window. */
export function isHiddenStart(): boolean {
  if (process.platform === 'darwin') return app.getLoginItemSettings().wasOpenedAtLogin;
  return process.argv.includes(hiddenArgument);
}
