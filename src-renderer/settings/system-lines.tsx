import { useState } from 'react';
import type { GlobalShortcuts } from '../../src-preload/settings.ts';
import { LineSwitch } from '../design/choice.tsx';
import { TextField } from '../design/text-field.tsx';
import { changeSettings, chooseSettings, useSession } from '../data/session-store.ts';
import { MenuEntryLine } from './menu-entry-line.tsx';
import { PreferenceLine } from './preference-line.tsx';
import styles from './preferences.module.css';

/** The parts of the preferences that concern the operating system. */
export function SystemLines() {
  const isStartedAtLogin = useSession((state) => state.settings.isStartedAtLogin);
  const shortcuts = useSession((state) => state.settings.globalShortcuts);
  return (
    <>
      <PreferenceLine name="Start at login" hint="In the tray, without a window, so that no result is missed">
        <LineSwitch
          name="Start at login"
          isOn={isStartedAtLogin}
          onChange={(isOn) => void chooseSettings({ isStartedAtLogin: isOn })}
        />
      </PreferenceLine>
      <MenuEntryLine />
      <PreferenceLine
        name="Global shortcuts"
        hint="Work in any program. Other programs cannot use these keys while Jobdeck runs"
      >
        <LineSwitch
          name="Global shortcuts"
          isOn={shortcuts.isOn}
          onChange={(isOn) => void chooseSettings({ globalShortcuts: { ...shortcuts, isOn } })}
        />
      </PreferenceLine>
      {shortcuts.isOn && (
        <>
          <Keys name="open" label="Open Jobdeck" shortcuts={shortcuts} />
          <Keys name="newJob" label="New job" shortcuts={shortcuts} />
        </>
      )}
    </>
  );
}

interface KeysProps {
  name: 'open' | 'newJob';
  label: string;
  shortcuts: GlobalShortcuts;
}

/** One shortcut. It takes effect when the field loses the focus. An invalid one stays, with the reason. */
function Keys({ name, label, shortcuts }: KeysProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (): Promise<void> => {
    if (typed === null) return;
    const wanted = typed.trim().replaceAll(/\s*\+\s*/g, '+');
    const failure = await changeSettings({ globalShortcuts: { ...shortcuts, [name]: wanted } });
    setProblem(failure === null ? null : 'Keys such as Ctrl+Alt+J');
    if (failure === null) setTyped(null);
  };
  return (
    <PreferenceLine name={label} hint="Modifiers and one key, such as Ctrl+Alt+J">
      <TextField
        className={styles.keys}
        size="sm"
        aria-label={`Shortcut: ${label}`}
        value={typed ?? shortcuts[name]}
        problem={problem}
        onChange={(text) => {
          setTyped(text);
          setProblem(null);
        }}
        onBlur={() => void take()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void take();
        }}
      />
    </PreferenceLine>
  );
}
