import { NotInStandIn, StandInEmitter, guard } from './guard.ts';
import { isHeadless } from './shared-chromium.ts';

type Source = 'system' | 'light' | 'dark';

/** Called when the scheme that pages must use has changed. */
let onScheme: () => void = () => {};
let system: 'light' | 'dark' = 'light';
/** Windows: the theme of the task bar, which has a setting of its own there. */
let panel: 'light' | 'dark' = process.env['ELECTRON_STAND_IN_PANEL'] === 'dark' ? 'dark' : 'light';
/** Windows: the task bar's theme as Electron knows it. Electron reads it only when it reports an update. */
let knownPanel: 'light' | 'dark' | null = null;

class NativeTheme extends StandInEmitter {
  readonly inForcedColorsMode = false;
  readonly prefersReducedTransparency = false;
  readonly shouldUseHighContrastColors = false;
  readonly shouldUseInvertedColorScheme = false;
  private source: Source = 'system';

  constructor() {
    super('nativeTheme', ['updated']);
    return guard('nativeTheme', this);
  }

  get themeSource(): Source {
    return this.source;
  }
  set themeSource(source: Source) {
    if (!['system', 'light', 'dark'].includes(source))
      throw new TypeError(`Error processing argument: "${source}" is no themeSource`);
    const before = this.shouldUseDarkColors;
    this.source = source;
    onScheme();
    if (before !== this.shouldUseDarkColors) reportUpdate();
  }
  get shouldUseDarkColors(): boolean {
    return this.source === 'system' ? system === 'dark' : this.source === 'dark';
  }
  get shouldUseDarkColorsForSystemIntegratedUI(): boolean {
    if (process.platform === 'linux')
      throw new NotInStandIn('nativeTheme.shouldUseDarkColorsForSystemIntegratedUI on Linux');
    // Until Electron has read it, it answers with the theme of the app.
    return knownPanel === null ? this.shouldUseDarkColors : knownPanel === 'dark';
  }
}

export const nativeTheme = new NativeTheme();

/** Electron reports it in a later turn, and reads the task bar's theme then. */
function reportUpdate(): void {
  setImmediate(() => {
    if (process.platform === 'win32') knownPanel = panel;
    nativeTheme.emit('updated');
  });
}

/** The `prefers-color-scheme` of pages. Null: that of the real system. */
export function pageColorScheme(): 'light' | 'dark' | null {
  if (nativeTheme.themeSource === 'system' && !isHeadless) return null;
  return nativeTheme.shouldUseDarkColors ? 'dark' : 'light';
}

export function onPageColorScheme(listener: () => void): void {
  onScheme = listener;
}

/** The test sets what the system prefers, for apps and for the task bar. */
export function setSystemColorScheme(scheme: 'light' | 'dark'): void {
  if (scheme === system && scheme === panel) return;
  const before = nativeTheme.shouldUseDarkColors;
  system = scheme;
  panel = scheme;
  onScheme();
  // The panel's theme changed even if the app's own is fixed.
  if (before !== nativeTheme.shouldUseDarkColors || process.platform !== 'linux') reportUpdate();
}
