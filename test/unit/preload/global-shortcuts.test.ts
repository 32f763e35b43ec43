import { expect, test } from 'vitest';
import { settings as settingsShape } from '../../../src-preload/settings-schema.ts';
import { settingsDefaults } from '../../../src-preload/settings.ts';

const isAllowed = (open: string): boolean => {
  const { globalShortcuts } = settingsDefaults;
  return settingsShape.safeParse({ ...settingsDefaults, globalShortcuts: { ...globalShortcuts, open } }).success;
};

test.each(['Ctrl+Alt+J', 'CmdOrCtrl+Shift+Space', 'Alt+1', 'Shift+F5', 'Super+J'])(
  '%s may be a shortcut for all programs',
  (keys) => expect(isAllowed(keys)).toBe(true),
);

test.each(['Shift+A', 'Shift+F', 'Shift+Space', 'Ctrl+Ctrl+A', 'Shift+Ctrl+Shift+B', 'A', 'Ctrl+'])(
  '%s may not: people type it, or it is no combination of keys',
  (keys) => expect(isAllowed(keys)).toBe(false),
);
