import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];

function usualPlaces(env: NodeJS.ProcessEnv): string[] {
  const { HOME: home = '', LOCALAPPDATA: local = '', PROGRAMFILES: programs = '' } = env;
  const programsX86 = env['PROGRAMFILES(X86)'] ?? '';
  if (process.platform === 'darwin') {
    const apps = [
      'Chromium.app/Contents/MacOS/Chromium',
      'Google Chrome.app/Contents/MacOS/Google Chrome',
      'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ];
    return ['/Applications', join(home, 'Applications')].flatMap((folder) => apps.map((app) => join(folder, app)));
  }
  if (process.platform === 'win32') {
    const apps = [
      'Chromium\\Application\\chrome.exe',
      'Google\\Chrome\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
    ];
    return [local, programs, programsX86]
      .filter((folder) => folder !== '')
      .flatMap((folder) => apps.map((app) => join(folder, app)));
  }
  return ['/snap/bin/chromium', '/opt/google/chrome/chrome'];
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The Chromium of this machine: `CHROMIUM_PATH`, else one on PATH, else one at its usual place. Null if there is none.
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  const named = env['CHROMIUM_PATH'];
  if (named !== undefined && named !== '') return canRun(named) ? named : null;
  return [...onPath(names, env), ...usualPlaces(env)].find(canRun) ?? null;
}

/**
 * Chromium without a browser around it, which draws the same pages for two thirds of the work. Null if there is none,
 * or if windows must be visible, which it cannot do.
 */
export function findHeadlessShell(env: NodeJS.ProcessEnv = process.env): string | null {
  if (hasDisplay(env)) return null;
  return onPath(['chromium-headless-shell', 'chrome-headless-shell'], env).find(canRun) ?? null;
}

function onPath(programs: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const extension = process.platform === 'win32' ? '.exe' : '';
  return (env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => programs.map((name) => join(folder, name + extension)));
}

/** Whether windows can be shown to a person. */
export function hasDisplay(env: NodeJS.ProcessEnv = process.env): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
}

const unwantedFeatures = [
  'BackForwardCache',
  'Translate',
  'MediaRouter',
  'OptimizationHints',
  'AutofillServerCommunication',
  'InterestFeedContentSuggestions',
  'HttpsUpgrades',
  // Processes for pages that no window shows: every start would cost a third more.
  'SpareRendererForSitePerProcess',
  'PreloadTopChromeWebUI',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
];

/** The flags of every Chromium here: an empty profile, no network traffic of its own, the same drawing everywhere. */
export function chromiumFlags(wanted: { profileDir: string; isHeadless: boolean; hasMotion?: boolean }): string[] {
  const isRoot = process.getuid?.() === 0;
  return [
    ...(wanted.isHeadless ? ['--headless=new', '--force-color-profile=srgb'] : []),
    // Without a sandbox, a process that only prepares others for it is of no use.
    ...(isRoot ? ['--no-sandbox', '--no-zygote'] : []),
    `--user-data-dir=${wanted.profileDir}`,
    // In software rendering, animations cost more than everything else that a window does.
    ...(wanted.hasMotion === false ? ['--force-prefers-reduced-motion'] : []),
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-extensions',
    '--disable-sync',
    '--disable-breakpad',
    '--disable-back-forward-cache',
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-search-engine-choice-screen',
    '--disable-session-crashed-bubble',
    '--no-proxy-server',
    '--enable-blink-features=MessagePortCloseEvent',
    '--password-store=basic',
    '--use-mock-keychain',
    `--disable-features=${unwantedFeatures.join()}`,
  ];
}
