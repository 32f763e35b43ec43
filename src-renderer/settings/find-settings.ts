import { isMac } from '../design/keyboard/platform.ts';
import {
  digestText,
  notificationSettingsText,
  quietHoursText,
  rulesText,
  undisturbedText,
} from '../messages/notifications/settings.ts';
import { binSectionText } from '../messages/bin.ts';
import { aboutText, updateText } from '../messages/settings/about.ts';
import { networkCheckText, proxyText } from '../messages/settings/network.ts';
import { keyPlaceText, preferencesText, settingsText, systemText } from '../messages/settings/preferences.ts';
import { settingWords } from '../messages/settings/search.ts';
import { backupText, retentionText } from '../messages/settings/storage.tsx';
import type { SettingsSection } from '../navigation/settings-dialog-store.ts';

/** A setting that can be searched for. Its name is shown on its page, before its control. */
export interface SettingPlace {
  section: Exclude<SettingsSection, 'connections'>;
  /** The title of its page. */
  page: string;
  name: string;
  /** Other words to find it by. They are not shown. */
  words: string;
}

function placesOf(section: SettingPlace['section'], named: readonly (readonly [name: string, words: string])[]) {
  return named.map(([name, words]): SettingPlace => ({ section, page: settingsText[section], name, words }));
}

/**
 * All settings except those of a connection, in the order of the pages. What is shown only sometimes is left out: the
 * entry in the applications menu of an AppImage, and the compacting of a file of a former version.
 */
export const settingPlaces: readonly SettingPlace[] = [
  ...placesOf('preferences', [
    [preferencesText.theme, settingWords.theme],
    [preferencesText.density, settingWords.density],
    [preferencesText.share, settingWords.share],
    [preferencesText.concurrencyShare, settingWords.share],
    [preferencesText.background, settingWords.background],
    [preferencesText.webhooks, settingWords.webhooks],
    [preferencesText.keyboard, settingWords.keyboard],
    [systemText.startAtLogin, settingWords.startAtLogin],
    ...(isMac ? [] : [[systemText.keepInTray, settingWords.keepInTray] as const]),
    [systemText.globalShortcuts, settingWords.globalShortcuts],
    [keyPlaceText.label, settingWords.keyPlace],
  ]),
  ...placesOf('notifications', [
    [rulesText.title, settingWords.rules],
    [quietHoursText.title, settingWords.quietHours],
    [undisturbedText.title, settingWords.undisturbed],
    [digestText.title, settingWords.digest],
    [notificationSettingsText.badge, settingWords.badge],
    [notificationSettingsText.details, settingWords.details],
    [notificationSettingsText.keptFor, settingWords.keptFor],
  ]),
  ...placesOf('network', [
    [proxyText.proxy, settingWords.proxy],
    [networkCheckText.address, settingWords.check],
  ]),
  ...placesOf('storage', [
    [retentionText.title, settingWords.retention],
    [binSectionText.title, settingWords.bin],
    [backupText.title, settingWords.backup],
  ]),
  ...placesOf('about', [
    [updateText.title, settingWords.updates],
    [updateText.automatic, settingWords.updates],
    [aboutText.diagnostics, settingWords.diagnostics],
  ]),
];

/** The settings with all words of a query in their name, their page or their other words, the names first. Pure. */
export function findSettings(places: readonly SettingPlace[], query: string): SettingPlace[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (text: string): boolean => {
    const padded = ` ${text.toLowerCase()}`;
    return wanted.every((word) => padded.includes(` ${word}`));
  };
  const found = places.filter(({ name, page, words }) => hasAll(`${name} ${page} ${words}`));
  return [...found.filter(({ name }) => hasAll(name)), ...found.filter(({ name }) => !hasAll(name))];
}
