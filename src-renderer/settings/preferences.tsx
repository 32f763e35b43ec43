import { type ReactElement, type ReactNode, useState } from 'react';
import type { Settings } from '../../src-preload/settings.ts';
import { Button } from '../design/button.tsx';
import { LineSwitch } from '../design/form/choice.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { Segmented } from '../design/segmented.tsx';
import { useShell } from '../navigation/shell-store.ts';
import { rateLimits } from '../../src-preload/rate-limits.ts';
import { useSession } from '../data/session-store.ts';
import { chooseSettings } from '../data/change-settings.ts';
import {
  preferenceGroups,
  preferenceOptions,
  preferencesText,
  settingsText,
  keyPlaceHint,
  keyPlaceNames,
  keyPlaceText,
} from '../messages/settings/preferences.ts';
import { DesktopLines, GlobalShortcutLines } from './system-lines.tsx';
import { PreferenceLine } from './preference-line.tsx';
import type { KeyPlace, KeyStorage } from '../../src-preload/connection.ts';
import { call } from '../bridge.ts';
import styles from './preferences.module.css';

/** Where keys are kept. Choosing another place moves them. */
function KeyPlaceChoice({ storage }: { storage: KeyStorage }): ReactElement {
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

const themes: readonly Settings['theme'][] = ['system', 'light', 'dark'];
const densities: readonly Settings['density'][] = ['comfortable', 'compact'];
const shares = [0.1, 0.25, 0.5, 1] as const;

/** Status reads that the service allows a user on one endpoint. */
const { perWindow: statusReadsPer10s, concurrent: statusReadsAtOnce } = rateLimits.status;

/** How Jobdeck looks, how much of the shared limits it may use (ruling 21), and what it does in the background. */
export function Preferences(): ReactElement {
  const settings = useSession((state) => state.settings);
  const keyStorage = useSession((state) => state.keyStorage);
  const webhook = useSession((state) => state.webhook);
  return (
    <>
      <h3 className={styles.title}>{settingsText.preferences}</h3>
      <Group title={preferenceGroups.appearance}>
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
      </Group>
      <Group title={preferenceGroups.service}>
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
        <PreferenceLine
          name={preferencesText.concurrencyShare}
          hint={preferencesText.concurrencyShareHint(settings.concurrencyShare * statusReadsAtOnce, statusReadsAtOnce)}
        >
          <Segmented
            label={preferencesText.concurrencyShare}
            value={String(settings.concurrencyShare)}
            options={shares.map((share) => ({ value: String(share), label: `${share * 100} %` }))}
            onChange={(share) => void chooseSettings({ concurrencyShare: Number(share) })}
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
        {keyStorage === null ? null : <KeyPlaceChoice storage={keyStorage} />}
      </Group>
      <Group title={preferenceGroups.desktop}>
        <DesktopLines />
      </Group>
      <Group title={preferenceGroups.keyboard}>
        <PreferenceLine name={preferencesText.keyboard} hint={preferencesText.keyboardHint}>
          <Button onClick={() => useShell.getState().set({ areShortcutsOpen: true })}>
            {preferencesText.shortcuts}
          </Button>
        </PreferenceLine>
        <GlobalShortcutLines />
      </Group>
    </>
  );
}

/** Lines about one subject. */
function Group({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <section className={styles.group} aria-label={title}>
      <h4 className={styles.heading}>{title}</h4>
      <dl className={styles.list}>{children}</dl>
    </section>
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
