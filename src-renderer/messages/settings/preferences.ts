import type { KeyPlace, KeyStorage } from '../../../src-preload/connection.ts';
import { formatCount, formatCountOf } from '../../../src-preload/format.ts';
import type { GlobalShortcuts, Settings } from '../../../src-preload/settings.ts';

/** The dialog and its sections. */
export const settingsText = {
  title: 'Settings',
  preferences: 'Preferences',
  notifications: 'Notifications',
  network: 'Network',
  storage: 'Storage',
  about: 'About',
  connections: 'Connections',
  addConnection: 'Add connection',
  unsaved: 'unsaved',
};

/** The groups of the preferences. */
export const preferenceGroups = {
  appearance: 'Appearance',
  service: 'Service',
  desktop: 'Desktop',
  keyboard: 'Keyboard',
};

/** Names of the choices with one of several values. */
export const preferenceOptions: {
  readonly theme: Readonly<Record<Settings['theme'], string>>;
  readonly density: Readonly<Record<Settings['density'], string>>;
} = {
  theme: { system: 'System', light: 'Light', dark: 'Dark' },
  density: { comfortable: 'Comfortable', compact: 'Compact' },
};

export const preferencesText = {
  theme: 'Theme',
  themeHint: 'System follows the desktop',
  density: 'List density',
  densityHint: 'Compact shows one line per job',
  share: 'Share of the rate limit',
  shareHint: (used: number, allowed: number): string =>
    `Jobdeck uses at most ${formatCount(used)} of ${formatCount(allowed)} status ` +
    'reads per 10 s on each endpoint, and the same share of the other rates. The rest is left for your production ' +
    'traffic.',
  concurrencyShare: 'Share of simultaneous requests',
  concurrencyShareHint: (used: number, allowed: number): string =>
    `Jobdeck has at most ${formatCount(used)} of ${formatCount(allowed)} status reads in progress at once on each ` +
    'endpoint, and the same share of the other limits.',
  background: 'Watch all endpoints',
  backgroundHint:
    'Jobdeck reads the health of up to 60 endpoints once a minute, so that alerts and charts also show what others ' +
    'do there. If off, it reads an endpoint only while your jobs run there or its health is open.',
  webhooks: 'Receive webhooks',
  webhooksHint: 'Listens on localhost. Each call triggers an immediate status check.',
  webhookAddress: 'Put this in the webhook field of jobs, including jobs sent by other programs on this computer:',
  copyWebhookAddress: 'Copy webhook address',
  keyboard: 'Keyboard shortcuts',
  keyboardHint: 'Every key, in one sheet',
  shortcuts: 'Show shortcuts',
};

/** The preferences that concern the operating system. */
export const systemText = {
  startAtLogin: 'Start at login',
  startAtLoginHint: 'In the tray, without a window, so that no result is missed',
  keepInTray: 'Stay in the tray',
  keepInTrayHint:
    'When the last window closes, even if no job is active: alerts, links and shortcuts keep working. With active ' +
    'jobs, Jobdeck always stays.',
  globalShortcuts: 'Global shortcuts',
  globalShortcutsHint: 'Work in any program. Other programs cannot use these keys while Jobdeck runs.',
  shortcutHint: 'Modifiers and one key, such as Ctrl+Alt+J',
  shortcutProblem: 'Enter keys such as Ctrl+Alt+J',
  shortcutField: (action: string): string => `Shortcut: ${action}`,
};

/** An AppImage in the desktop's menu of applications. */
export const menuEntryText = {
  name: 'In the applications menu',
  hint: 'This AppImage is not installed. Adds it to the menu, and makes it the program that opens jobdeck:// links.',
};

/** What the global shortcuts do. */
export const shortcutActions: Readonly<Record<Exclude<keyof GlobalShortcuts, 'isOn'>, string>> = {
  open: 'Open Jobdeck',
  newJob: 'New job',
};

/** Where keys are kept. */
export const keyPlaceText = { label: 'Keep keys in' };

export const keyPlaceNames: Readonly<Record<KeyPlace, string>> = {
  keychain: 'System keychain',
  'safe-storage': 'Encrypted file',
  session: 'Memory',
};

/** The hint under the choice: where new keys are saved, and how many are elsewhere. */
export function keyPlaceHint({ kind, explanation, places }: KeyStorage, moving: KeyPlace | null): string {
  if (moving !== null) return 'Moving keys. Your system may be asking you to unlock its keychain.';
  const elsewhere = places
    .filter((place) => place.kind !== kind && place.secrets > 0)
    .map((place) => `${formatCountOf(place.secrets, 'key')} in ${keyPlaceNames[place.kind].toLowerCase()}`);
  return elsewhere.length === 0 ? explanation : `${explanation} Still elsewhere: ${elsewhere.join(', ')}.`;
}
