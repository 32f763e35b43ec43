import { useState, type ReactElement } from 'react';
import type { KeyPlace, KeyStorage } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { Segmented } from '../design/segmented.tsx';
import { keyPlaceHint, keyPlaceNames, keyPlaceText } from '../messages/settings/preferences.ts';
import { PreferenceLine } from './preference-line.tsx';

/** Where keys are kept. Choosing another place moves them. */
export function KeyPlaceChoice({ storage }: { storage: KeyStorage }): ReactElement {
  const [failure, setFailure] = useState<string | null>(null);
  const [moving, setMoving] = useState<KeyPlace | null>(null);
  const move = async (to: KeyPlace): Promise<void> => {
    setMoving(to);
    const moved = await call('keys:move', { to });
    setMoving(null);
    setFailure(moved.ok ? null : moved.failure.message);
  };
  return (
    <PreferenceLine
      name={keyPlaceText.label}
      hint={failure ?? keyPlaceHint(storage, moving)}
      isProblem={failure !== null}
    >
      <Segmented
        label={keyPlaceText.label}
        value={storage.kind}
        options={storage.places.map(({ kind, problem }) => ({
          value: kind,
          label: keyPlaceNames[kind],
          disabledReason: problem !== null && kind === 'safe-storage' ? problem : undefined,
        }))}
        onChange={(to) => void move(to)}
      />
    </PreferenceLine>
  );
}
