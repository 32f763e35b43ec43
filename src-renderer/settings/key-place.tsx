import { useState, type ReactElement } from 'react';
import type { KeyPlace, KeyStorage } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import { formatCountOf } from '../../src-preload/format.ts';
import { Segmented } from '../design/segmented.tsx';
import { PreferenceLine } from './preference-line.tsx';

const labels: Record<KeyPlace, string> = {
  keychain: 'System keychain',
  'safe-storage': 'Encrypted file',
  session: 'Memory',
};

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
    <PreferenceLine name="Keep keys in" hint={failure ?? keyPlaceHint(storage, moving)} isProblem={failure !== null}>
      <Segmented
        label="Keep keys in"
        value={storage.kind}
        options={storage.places.map(({ kind, problem }) => ({
          value: kind,
          label: labels[kind],
          disabledReason: problem !== null && kind === 'safe-storage' ? problem : undefined,
        }))}
        onChange={(to) => void move(to)}
      />
    </PreferenceLine>
  );
}

/** The hint under the choice: where new keys are saved, and how many are elsewhere. Pure. */
export function keyPlaceHint({ kind, explanation, places }: KeyStorage, moving: KeyPlace | null): string {
  if (moving !== null) return 'Moving keys. Your system may be asking you to unlock its keychain.';
  const elsewhere = places
    .filter((place) => place.kind !== kind && place.secrets > 0)
    .map((place) => `${formatCountOf(place.secrets, 'key')} in ${labels[place.kind].toLowerCase()}`);
  return elsewhere.length === 0 ? explanation : `${explanation} Still elsewhere: ${elsewhere.join(', ')}.`;
}
