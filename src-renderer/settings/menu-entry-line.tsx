import { useState, type ReactElement } from 'react';
import { call } from '../bridge.ts';
import { useCall } from '../data/calls.ts';
import { LineSwitch } from '../design/choice.tsx';
import { menuEntryText } from '../messages/settings/preferences.ts';
import { PreferenceLine } from './preference-line.tsx';

/** Whether this AppImage is in the desktop's menu of applications. Nothing if Jobdeck is no AppImage. */
export function MenuEntryLine(): ReactElement | null {
  const { data: entry, refetch } = useCall('app:menuEntry', undefined, { isFailureToast: true });
  const [problem, setProblem] = useState<string | null>(null);
  if (entry === undefined || entry === null) return null;
  const change = async (isThere: boolean): Promise<void> => {
    const changed = await call('app:setMenuEntry', { isThere });
    setProblem(changed.ok ? null : changed.failure.message);
    await refetch();
  };
  return (
    <PreferenceLine name={menuEntryText.name} hint={problem ?? menuEntryText.hint} isProblem={problem !== null}>
      <LineSwitch name={menuEntryText.name} isOn={entry.isThere} onChange={(isOn) => void change(isOn)} />
    </PreferenceLine>
  );
}
