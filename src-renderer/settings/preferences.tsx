import type { ReactElement, ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { LineSwitch } from '../design/choice.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { Segmented } from '../design/segmented.tsx';
import { formatCount } from '../../src-preload/format.ts';
import { useShell } from '../navigation/shell-store.ts';
import { chooseSettings, useSession } from '../data/session-store.ts';
import { KeyPlaceChoice } from './key-place.tsx';
import { SystemLines } from './system-lines.tsx';
import { PreferenceLine } from './preference-line.tsx';
import styles from './preferences.module.css';

const shares = [0.1, 0.25, 0.5, 1] as const;

/** Status reads that the service allows a user on one endpoint (spec: Limits). */
const statusReadsPer10s = 2_000;

function shareHint(share: number): string {
  return (
    `Jobdeck uses at most ${formatCount(share * statusReadsPer10s)} of ${formatCount(statusReadsPer10s)} status ` +
    'reads per 10 s on each endpoint, and the same share of the other limits. Your production traffic has the rest'
  );
}

/** Theme, density, and how much of the shared rate limit Jobdeck may spend (ruling 21). */
export function Preferences(): ReactElement {
  const settings = useSession((state) => state.settings);
  const keyStorage = useSession((state) => state.keyStorage);
  const webhook = useSession((state) => state.webhook);
  return (
    <>
      <h3 className={styles.title}>Preferences</h3>
      <dl className={styles.list}>
        <PreferenceLine name="Theme" hint="System follows the desktop">
          <Segmented
            label="Theme"
            value={settings.theme}
            options={[
              { value: 'system', label: 'System' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
            onChange={(theme) => void chooseSettings({ theme })}
          />
        </PreferenceLine>
        <PreferenceLine name="List density" hint="Compact shows one line per job">
          <Segmented
            label="List density"
            value={settings.density}
            options={[
              { value: 'comfortable', label: 'Comfortable' },
              { value: 'compact', label: 'Compact' },
            ]}
            onChange={(density) => void chooseSettings({ density })}
          />
        </PreferenceLine>
        <PreferenceLine name="Share of the rate limit" hint={shareHint(settings.rateShare)}>
          <Segmented
            label="Share of the rate limit"
            value={String(settings.rateShare)}
            options={shares.map((share) => ({ value: String(share), label: `${share * 100} %` }))}
            onChange={(share) => void chooseSettings({ rateShare: Number(share) })}
          />
        </PreferenceLine>
        <PreferenceLine
          name="Receive webhooks"
          hint={webhook?.problem ?? webhookHint(webhook?.url ?? null)}
          isProblem={webhook?.problem != null}
        >
          <LineSwitch
            name="Receive webhooks"
            isOn={settings.isWebhookReceiverOn}
            onChange={(isOn) => void chooseSettings({ isWebhookReceiverOn: isOn })}
          />
        </PreferenceLine>
        <PreferenceLine name="Keyboard" hint="Every key, in one sheet">
          <Button onClick={() => useShell.getState().set({ areShortcutsOpen: true })}>Shortcuts</Button>
        </PreferenceLine>
        <SystemLines />
        {keyStorage === null ? null : <KeyPlaceChoice storage={keyStorage} />}
      </dl>
    </>
  );
}

/** What the receiver is for, and its address once it is running. */
function webhookHint(url: string | null): ReactNode {
  if (url === null) return 'Listens on localhost. Each call triggers an immediate status check';
  return (
    <>
      Put this in the webhook field of jobs, including jobs sent by other programs on this computer:
      <span className={styles.address}>
        <span className="mono sel trunc" title={url}>
          {url}
        </span>
        <CopyButton label="Copy webhook address" text={() => url} />
      </span>
    </>
  );
}
