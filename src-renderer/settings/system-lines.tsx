import { useState, type ReactElement } from 'react';
import type { GlobalShortcuts } from '../../src-preload/settings.ts';
import { LineSwitch } from '../design/form/choice.tsx';
import { isMac } from '../design/keyboard/platform.ts';
import { useSession } from '../data/session-store.ts';
import { changeSettings, chooseSettings } from '../data/change-settings.ts';
import { TypedField } from '../data/typed-field.tsx';
import { shortcutActions, systemText, menuEntryText } from '../messages/settings/preferences.ts';
import { PreferenceLine } from './preference-line.tsx';
import styles from './preferences.module.css';
import { call } from '../bridge.ts';
import { useCall } from '../data/calls.ts';

/** How Jobdeck runs on this desktop. */
export function DesktopLines() {
  const isStartedAtLogin = useSession((state) => state.settings.isStartedAtLogin);
  const isKeptInTray = useSession((state) => state.settings.isKeptInTray);
  return (
    <>
      <PreferenceLine name={systemText.startAtLogin} hint={systemText.startAtLoginHint}>
        <LineSwitch
          name={systemText.startAtLogin}
          isOn={isStartedAtLogin}
          onChange={(isOn) => void chooseSettings({ isStartedAtLogin: isOn })}
        />
      </PreferenceLine>
      {!isMac && (
        <PreferenceLine name={systemText.keepInTray} hint={systemText.keepInTrayHint}>
          <LineSwitch
            name={systemText.keepInTray}
            isOn={isKeptInTray}
            onChange={(isOn) => void chooseSettings({ isKeptInTray: isOn })}
          />
        </PreferenceLine>
      )}
      <MenuEntryLine />
    </>
  );
}

/** The keys that work in any program. */
export function GlobalShortcutLines() {
  const shortcuts = useSession((state) => state.settings.globalShortcuts);
  return (
    <>
      <PreferenceLine name={systemText.globalShortcuts} hint={systemText.globalShortcutsHint}>
        <LineSwitch
          name={systemText.globalShortcuts}
          isOn={shortcuts.isOn}
          onChange={(isOn) => void chooseSettings({ globalShortcuts: { ...shortcuts, isOn } })}
        />
      </PreferenceLine>
      {shortcuts.isOn && (
        <>
          <Keys name="open" shortcuts={shortcuts} />
          <Keys name="newJob" shortcuts={shortcuts} />
        </>
      )}
    </>
  );
}

interface KeysProps {
  name: Exclude<keyof GlobalShortcuts, 'isOn'>;
  shortcuts: GlobalShortcuts;
}

/** One shortcut. */
function Keys({ name, shortcuts }: KeysProps) {
  const action = shortcutActions[name];
  const save = async (keys: string): Promise<{ message: string } | null> => {
    const failure = await changeSettings({ globalShortcuts: { ...shortcuts, [name]: keys } });
    return failure === null ? null : { message: systemText.shortcutProblem };
  };
  return (
    <PreferenceLine name={action} hint={systemText.shortcutHint}>
      <TypedField
        className={styles.keys}
        label={systemText.shortcutField(action)}
        value={shortcuts[name]}
        read={(text) => ({ value: text.trim().replaceAll(/\s*\+\s*/g, '+') })}
        onChange={save}
      />
    </PreferenceLine>
  );
}

/** Whether this AppImage is in the desktop's menu of applications. Nothing if Jobdeck is not an AppImage. */
function MenuEntryLine(): ReactElement | null {
  const { data: entry, refetch } = useCall('app:menuEntry', undefined, { isFailureToast: true });
  const [problem, setProblem] = useState<string | null>(null);
  if (entry === undefined || entry === null) return null;
  const change = async (isAdded: boolean): Promise<void> => {
    const changed = await call('app:setMenuEntry', { isAdded });
    setProblem(changed.ok ? null : changed.failure.message);
    await refetch();
  };
  return (
    <PreferenceLine name={menuEntryText.name} hint={problem ?? menuEntryText.hint} isProblem={problem !== null}>
      <LineSwitch name={menuEntryText.name} isOn={entry.isAdded} onChange={(isOn) => void change(isOn)} />
    </PreferenceLine>
  );
}
