import { useRef, useState, type ReactElement } from 'react';
import type { ProxyChoice } from '../../src-preload/network.ts';
import { call } from '../bridge.ts';
import { useCurrentConnection, useSession } from '../data/session-store.ts';
import { changeSettings } from '../data/change-settings.ts';
import { isLike, unsavedForms } from '../data/unsaved-forms.ts';
import { withoutLogin } from '../data/without-login.ts';
import { Button } from '../design/button.tsx';
import { Segmented } from '../design/segmented.tsx';
import { TextField } from '../design/form/text-field.tsx';
import {
  networkCheckResult,
  networkCheckText,
  proxyHints,
  proxyNames,
  proxyText,
} from '../messages/settings/network.ts';
import { settingsText } from '../messages/settings/preferences.ts';
import styles from './network-page.module.css';
import { PreferenceLine } from './preference-line.tsx';
import preferences from './preferences.module.css';

const proxyKinds: readonly ProxyChoice['kind'][] = ['system', 'none', 'manual'];

interface ManualProxy {
  address: string;
  name: string;
}

/** An entered proxy stays while the settings are closed or show another page, without its password. */
const unsaved = unsavedForms<ManualProxy>({
  kind: 'proxy',
  isForm: isLike({ address: '', name: '' }),
  // A password belongs in its own field, but may have been pasted with the address.
  withoutSecrets: ({ address, name }) => ({ address: withoutLogin(address), name }),
});
const form = 'proxy';

/** The proxy and the certificates for reaching services, and a check of both. */
export function NetworkPage(): ReactElement {
  const { proxy } = useSession((state) => state.settings);
  const saved = proxy.kind === 'manual' ? { address: proxy.url, name: proxy.name ?? '' } : { address: '', name: '' };
  const { fields, change } = unsaved.useForm(form, saved);
  const { address, name } = fields;
  const [kind, setKind] = useState(proxy.kind);
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  /** The choice that is being saved, or was saved last. */
  const saving = useRef(Promise.resolve());
  const save = async (choice: ProxyChoice): Promise<void> => {
    const failure = await changeSettings({ proxy: choice });
    setProblem(failure?.message ?? null);
    if (failure === null && choice.kind === 'manual') unsaved.end(form);
    // Without a form, the saved choice is shown.
    if (failure !== null && choice.kind !== 'manual') setKind(useSession.getState().settings.proxy.kind);
    if (failure !== null || choice.kind !== 'manual' || password === '') return;
    const kept = await call('network:setProxyPassword', { password });
    if (kept.ok) setPassword('');
    else setProblem(kept.failure.message);
  };
  const keep = (choice: ProxyChoice): void => {
    saving.current = save(choice);
  };
  const choose = (wanted: ProxyChoice['kind']): void => {
    setKind(wanted);
    setProblem(null);
    if (wanted === 'manual') return;
    // The address is there again when a manual proxy is chosen again.
    if (fields.address !== '') unsaved.put(form, fields);
    keep({ kind: wanted });
  };
  return (
    <>
      <h3 className={preferences.title}>{settingsText.network}</h3>
      <dl className={preferences.list}>
        <PreferenceLine
          name={proxyText.proxy}
          hint={kind === 'manual' ? proxyHints[kind] : (problem ?? proxyHints[kind])}
          isProblem={kind !== 'manual' && problem !== null}
        >
          <Segmented
            label={proxyText.proxy}
            value={kind}
            options={proxyKinds.map((value) => ({ value, label: proxyNames[value] }))}
            onChange={choose}
          />
        </PreferenceLine>
      </dl>
      {kind === 'manual' && (
        <form
          className={styles.proxy}
          onSubmit={(event) => {
            event.preventDefault();
            const user = name.trim() === '' ? {} : { name: name.trim() };
            keep({ kind: 'manual', url: address.trim(), ...user });
          }}
        >
          <TextField
            label={proxyText.address}
            isMono
            value={address}
            placeholder={proxyText.addressExample}
            problem={problem}
            hint={proxy.kind === 'manual' && proxy.url === address.trim() ? proxyText.inUse : proxyText.addressHint}
            onChange={(text) => change({ ...fields, address: text })}
          />
          <TextField
            label={proxyText.userName}
            value={name}
            hint={proxyText.userNameHint}
            onChange={(text) => change({ ...fields, name: text })}
          />
          {name.trim() !== '' && (
            <TextField
              label={proxyText.password}
              isSecret
              value={password}
              hint={proxyText.passwordHint}
              onChange={setPassword}
            />
          )}
          <Button size="lg" type="submit">
            {proxyText.use}
          </Button>
        </form>
      )}
      <Checker whenSaved={() => saving.current} />
    </>
  );
}

/**
 * Connects to an address and shows how far it got. `whenSaved` resolves when the chosen proxy is saved: before that, a
 * check would still use the old proxy.
 */
function Checker({ whenSaved }: { whenSaved: () => Promise<void> }): ReactElement {
  const connection = useCurrentConnection();
  const [url, setUrl] = useState(connection?.baseUrl ?? 'https://');
  const [result, setResult] = useState<string | null>(null);
  const proxy = useSession((state) => state.settings.proxy);
  /** The result is of this address and proxy, and says nothing of others. */
  const [checked, setChecked] = useState('');
  const [isBad, setBad] = useState(false);
  const [isChecking, setChecking] = useState(false);
  const check = async (): Promise<void> => {
    setChecking(true);
    await whenSaved();
    const way = wayOf(url, useSession.getState().settings.proxy);
    const answer = await call('network:check', { url: url.trim() });
    setChecking(false);
    setChecked(way);
    setBad(!answer.ok || answer.value.problem !== null);
    setResult(answer.ok ? networkCheckResult(answer.value, url.trim().startsWith('https:')) : answer.failure.message);
  };
  const shown = checked === wayOf(url, proxy) ? result : null;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void check();
      }}
    >
      <TextField
        label={networkCheckText.address}
        isMono
        value={url}
        problem={isBad ? shown : null}
        hint={<span role="status">{shown ?? networkCheckText.hint}</span>}
        onChange={setUrl}
      />
      <Button size="lg" type="submit" disabledReason={isChecking ? networkCheckText.checking : undefined}>
        {networkCheckText.check}
      </Button>
    </form>
  );
}

/** An address and the proxy on the way to it. */
function wayOf(url: string, proxy: ProxyChoice): string {
  return JSON.stringify([url, proxy]);
}
