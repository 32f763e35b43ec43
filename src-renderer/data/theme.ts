import type { Settings } from '../../src-preload/settings.ts';
import { useSession } from './session-store.ts';

/** The theme to show: the user's choice, or else the system's. */
export function resolveTheme(chosen: Settings['theme'], isSystemLight: boolean): 'light' | 'dark' {
  if (chosen !== 'system') return chosen;
  return isSystemLight ? 'light' : 'dark';
}

/** Keeps `<html data-theme>` in step with the settings and the system from now on. */
export function followTheme(): void {
  const system = matchMedia('(prefers-color-scheme:light)');
  const show = (): void => {
    document.documentElement.dataset['theme'] = resolveTheme(useSession.getState().settings.theme, system.matches);
  };
  show();
  system.addEventListener('change', show);
  useSession.subscribe((state, before) => {
    if (state.settings.theme !== before.settings.theme) show();
  });
}
