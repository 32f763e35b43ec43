import { Settings2 } from 'lucide-react';
import { settingsSearchText } from '../messages/settings/search.ts';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import { settingPlaces } from '../settings/find-settings.ts';
import type { Command } from './command.ts';

/** Every setting, on its page. */
export function settingCommands(): Command[] {
  return settingPlaces.map(({ section, page, name, words }) => ({
    id: `setting.${section}.${name}`,
    group: 'go',
    label: settingsSearchText.command(name),
    hint: page,
    keywords: [words],
    icon: <Settings2 />,
    run: () => useSettingsDialog.getState().openSetting(section, name),
  }));
}
