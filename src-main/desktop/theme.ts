import { nativeTheme } from 'electron';
import type { Settings } from '../../src-preload/settings.ts';

/** The desktop's own dark or light follows the user's choice: window backgrounds, menus, and `prefers-color-scheme`. */
export function applyTheme(settings: Pick<Settings, 'theme'>): void {
  if (nativeTheme.themeSource !== settings.theme) nativeTheme.themeSource = settings.theme;
}
