import { NotInStandIn, StandInEmitter, guard } from './guard.ts';
import { isHeadless } from './desktop.ts';

type Source = 'system' | 'light' | 'dark';

/** Called when the scheme that pages must use has changed. */
let onScheme: () => void = () => {};
let system: 'light' | 'dark' = 'light';

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
    if (before !== this.shouldUseDarkColors) this.emit('updated');
  }
  get shouldUseDarkColors(): boolean {
    return this.source === 'system' ? system === 'dark' : this.source === 'dark';
  }
  get shouldUseDarkColorsForSystemIntegratedUI(): boolean {
    if (process.platform === 'linux')
      throw new NotInStandIn('nativeTheme.shouldUseDarkColorsForSystemIntegratedUI on Linux');
    return system === 'dark';
  }
}

export const nativeTheme = new NativeTheme();

/** The `prefers-color-scheme` of pages. Null: that of the real system. */
export function pageColorScheme(): 'light' | 'dark' | null {
  if (nativeTheme.themeSource === 'system' && !isHeadless) return null;
  return nativeTheme.shouldUseDarkColors ? 'dark' : 'light';
}

export function onPageColorScheme(listener: () => void): void {
  onScheme = listener;
}

/** The test sets what the system prefers. */
export function setSystemColorScheme(scheme: 'light' | 'dark'): void {
  if (scheme === system) return;
  const before = nativeTheme.shouldUseDarkColors;
  system = scheme;
  onScheme();
  // The panel's theme changed even if the app's own is fixed.
  if (before !== nativeTheme.shouldUseDarkColors || process.platform !== 'linux') nativeTheme.emit('updated');
}
