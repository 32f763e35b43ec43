import { nativeTheme } from 'electron';
import { followDesktopScheme, type DesktopScheme } from '../linux/color-scheme.ts';

/** The theme of the panel that shows the tray icon, whatever theme our own windows have. */
export interface PanelTheme {
  isDark(): boolean;
  close(): void;
}

/** Follows the theme of the panel. `onChanged` is called when it may be another. */
export function followPanelTheme(onChanged: () => void): PanelTheme {
  let desktop: DesktopScheme = null;
  nativeTheme.on('updated', onChanged);
  const following =
    process.platform === 'linux'
      ? followDesktopScheme(process.env, (scheme) => {
          desktop = scheme;
          onChanged();
        })
      : null;
  return {
    isDark() {
      if (process.platform !== 'linux') return nativeTheme.shouldUseDarkColorsForSystemIntegratedUI;
      // These have a dark top bar in either theme.
      if (/gnome|unity|pantheon|cinnamon/i.test(process.env['XDG_CURRENT_DESKTOP'] ?? '')) return true;
      // Elsewhere panels follow the desktop's theme. If no portal says which, our own choice may hide it.
      return desktop === null ? nativeTheme.shouldUseDarkColors : desktop === 'dark';
    },
    close() {
      nativeTheme.off('updated', onChanged);
      void following?.then((bus) => bus.close());
    },
  };
}

/**
 * Makes Electron read the theme of the task bar. On Windows Electron reads it only when its own theme is updated, and
 * until then reports our theme. Call it before there is a window, because for a moment it sets another theme.
 */
export function readTaskbarTheme(): void {
  if (process.platform !== 'win32') return;
  const { themeSource, shouldUseDarkColors } = nativeTheme;
  nativeTheme.themeSource = shouldUseDarkColors ? 'light' : 'dark';
  nativeTheme.themeSource = themeSource;
}
