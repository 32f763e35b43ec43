import type { ReactElement, ReactNode } from 'react';
import type { Settings } from '../../src-preload/settings.ts';
import { Button } from '../design/button.tsx';
import { LineSwitch } from '../design/choice.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { Segmented } from '../design/segmented.tsx';
import { useShell } from '../navigation/shell-store.ts';
import { rateLimits } from '../../src-preload/rate-limits.ts';
import { useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';
import { preferenceOptions, preferencesText, settingsText } from '../messages/settings/preferences.ts';
import { KeyPlaceChoice } from './key-place.tsx';
import { SystemLines } from './system-lines.tsx';
import { PreferenceLine } from './preference-line.tsx';
import styles from './preferences.module.css';

const themes: readonly Settings['theme'][] = ['system', 'light', 'dark'];
const densities: readonly Settings['density'][] = ['comfortable', 'compact'];
const shares = [0.1, 0.25, 0.5, 1] as const;

/** Status reads that the service allows a user on one endpoint. */
const { perWindow: statusReadsPer10s } = rateLimits.status;

/** How Jobdeck looks, what it may spend of the shared rate limit (ruling 21), and what it does in the background. */
export function Preferences(): ReactElement {
  const settings = useSession((state) => state.settings);
  const keyStorage = useSession((state) => state.keyStorage);
  const webhook = useSession((state) => state.webhook);
  return (
    <>
      <h3 className={styles.title}>{settingsText.preferences}</h3>
      <dl className={styles.list}>
        <PreferenceLine name={preferencesText.theme} hint={preferencesText.themeHint}>
          <Segmented
            label={preferencesText.theme}
            value={settings.theme}
            options={themes.map((value) => ({ value, label: preferenceOptions.theme[value] }))}
            onChange={(theme) => void chooseSettings({ theme })}
          />
        </PreferenceLine>
        <PreferenceLine name={preferencesText.density} hint={preferencesText.densityHint}>
          <Segmented
            label={preferencesText.density}
            value={settings.density}
            options={densities.map((value) => ({ value, label: preferenceOptions.density[value] }))}
            onChange={(density) => void chooseSettings({ density })}
          />
        </PreferenceLine>
        <PreferenceLine
          name={preferencesText.share}
          hint={preferencesText.shareHint(settings.rateShare * statusReadsPer10s, statusReadsPer10s)}
        >
          <Segmented
            label={preferencesText.share}
            value={String(settings.rateShare)}
            options={shares.map((share) => ({ value: String(share), label: `${share * 100} %` }))}
            onChange={(share) => void chooseSettings({ rateShare: Number(share) })}
          />
        </PreferenceLine>
        <PreferenceLine name={preferencesText.background} hint={preferencesText.backgroundHint}>
          <LineSwitch
            name={preferencesText.background}
            isOn={settings.isHealthReadInBackground}
            onChange={(isOn) => void chooseSettings({ isHealthReadInBackground: isOn })}
          />
        </PreferenceLine>
        <PreferenceLine
          name={preferencesText.webhooks}
          hint={webhook?.problem ?? webhookHint(webhook?.url ?? null)}
          isProblem={webhook?.problem != null}
        >
          <LineSwitch
            name={preferencesText.webhooks}
            isOn={settings.isWebhookReceiverOn}
            onChange={(isOn) => void chooseSettings({ isWebhookReceiverOn: isOn })}
          />
        </PreferenceLine>
        <PreferenceLine name={preferencesText.keyboard} hint={preferencesText.keyboardHint}>
          <Button onClick={() => useShell.getState().set({ areShortcutsOpen: true })}>
            {preferencesText.shortcuts}
          </Button>
        </PreferenceLine>
        <SystemLines />
        {keyStorage === null ? null : <KeyPlaceChoice storage={keyStorage} />}
      </dl>
    </>
  );
}

/** What the receiver is for, and its address once it is running. */
function webhookHint(url: string | null): ReactNode {
  if (url === null) return preferencesText.webhooksHint;
  return (
    <>
      {preferencesText.webhookAddress}
      <span className={styles.address}>
        <span className="mono sel trunc" title={url}>
          {url}
        </span>
        <CopyButton label={preferencesText.copyWebhookAddress} text={() => url} />
      </span>
    </>
  );
}
