/** The search of the settings. */
export const settingsSearchText = {
  label: 'Search settings',
  results: 'Settings found',
  none: (query: string): string => `No setting for “${query}”`,
  /** In the palette. */
  command: (name: string): string => `Setting: ${name}`,
};

/** Other words that a setting is found by. They are not shown. */
export const settingWords = {
  theme: 'dark light appearance colour color mode',
  density: 'rows compact comfortable size spacing',
  share: 'budget requests polling limit quota',
  background: 'health alerts charts background once a minute',
  webhooks: 'webhook receiver localhost callback',
  keyboard: 'shortcuts keys',
  startAtLogin: 'autostart boot startup launch',
  keepInTray: 'background close quit window',
  globalShortcuts: 'hotkey keys',
  keyPlace: 'api key secret keychain keyring password encrypted',
  rules: 'notify notifications sound endpoint tag',
  quietHours: 'night silence mute schedule',
  undisturbed: 'dnd mute silence pause',
  digest: 'summary group collect',
  badge: 'dock icon count failures',
  details: 'privacy titles errors',
  keptFor: 'retention history days',
  proxy: 'company firewall pac socks',
  check: 'test certificate reach',
  retention: 'delete forget size limit disk space outputs days',
  bin: 'bin trash deleted restore empty',
  backup: 'export copy restore merge save',
  updates: 'version upgrade feed automatic',
  diagnostics: 'logs report bug version',
};
