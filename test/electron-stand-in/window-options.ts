import type { BrowserWindow } from './browser-window.ts';
import { NotInStandIn, checkOptions } from './guard.ts';
import { records } from './records.ts';

export interface WebPreferences {
  preload?: string;
  additionalArguments?: string[];
  /** The preload script also runs in the frames of a page. */
  nodeIntegrationInSubFrames?: boolean;
}

export interface WindowOptions {
  width?: number;
  height?: number;
  x?: number;
  y?: number;
  minWidth?: number;
  minHeight?: number;
  show?: boolean;
  title?: string;
  backgroundColor?: string;
  resizable?: boolean;
  parent?: BrowserWindow;
  webPreferences?: WebPreferences & Record<string, unknown>;
}

const knownOptions = [
  'width',
  'height',
  'x',
  'y',
  'minWidth',
  'minHeight',
  'maxWidth',
  'maxHeight',
  'useContentSize',
  'center',
  'resizable',
  'movable',
  'minimizable',
  'maximizable',
  'closable',
  'focusable',
  'alwaysOnTop',
  'fullscreenable',
  'skipTaskbar',
  'title',
  'icon',
  'show',
  'paintWhenInitiallyHidden',
  'frame',
  'parent',
  'autoHideMenuBar',
  'backgroundColor',
  'hasShadow',
  'darkTheme',
  'titleBarStyle',
  'titleBarOverlay',
  'trafficLightPosition',
  'roundedCorners',
  'thickFrame',
  'webPreferences',
];
const knownPreferences = [
  'preload',
  'additionalArguments',
  'sandbox',
  'contextIsolation',
  'nodeIntegration',
  'nodeIntegrationInWorker',
  'nodeIntegrationInSubFrames',
  'webSecurity',
  'allowRunningInsecureContent',
  'webviewTag',
  'spellcheck',
  'devTools',
  'backgroundThrottling',
  'navigateOnDragDrop',
  'safeDialogs',
  'v8CacheOptions',
];
/** The stand-in supports only the safe values. With others, the tests would run on a different kind of window. */
const requiredPreferences: Record<string, boolean> = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  webviewTag: false,
};

const wholeNumbers = ['width', 'height', 'x', 'y', 'minWidth', 'minHeight', 'maxWidth', 'maxHeight'];

/** The options as Electron reads them: a size or place that is no whole number is not there (gin's Converter<int32_t>). */
export function readOptions(given: WindowOptions): WindowOptions {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !wholeNumbers.includes(name) || Number.isInteger(value)),
  );
}

/**
 * The web preferences of a new window. Throws `NotInStandIn` by name for any option or preference that the stand-in
 * lacks.
 */
export function readPreferences(options: WindowOptions): WebPreferences {
  checkOptions('BrowserWindow', options, knownOptions);
  const preferences = options.webPreferences ?? {};
  records.webPreferences.push({ ...preferences });
  checkOptions('webPreferences', preferences, knownPreferences);
  for (const [name, value] of Object.entries(requiredPreferences)) {
    if (preferences[name] !== undefined && preferences[name] !== value)
      throw new NotInStandIn(`window with ${name}: ${JSON.stringify(preferences[name])}`);
  }
  return preferences;
}
