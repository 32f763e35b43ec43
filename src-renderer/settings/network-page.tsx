import { useState, type ReactElement } from 'react';
import type { NetworkCheck, ProxyChoice } from '../../src-preload/network.ts';
import { call } from '../bridge.ts';
import { changeSettings, useCurrentConnection, useSession } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { formatCount } from '../../src-preload/format.ts';
import { Segmented } from '../design/segmented.tsx';
import { TextField } from '../design/text-field.tsx';
import styles from './network-page.module.css';
import { PreferenceLine } from './preference-line.tsx';
import preferences from './preferences.module.css';

const hints: Record<ProxyChoice['kind'], string> = {
  system: 'Use the system’s settings, including proxy scripts',
  none: 'Jobdeck connects to services directly',
  manual: 'Use this proxy for every service except localhost',
};

/** The proxy and the certificates for reaching services, and a check of both. */
export function NetworkPage(): ReactElement {
  const { proxy } = useSession((state) => state.settings);
  const [kind, setKind] = useState(proxy.kind);
  const [address, setAddress] = useState(proxy.kind === 'manual' ? proxy.url : '');
  const [name, setName] = useState(proxy.kind === 'manual' ? (proxy.name ?? '') : '');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const keep = async (choice: ProxyChoice): Promise<void> => {
    const failure = await changeSettings({ proxy: choice });
    setProblem(failure?.message ?? null);
    if (failure !== null || choice.kind !== 'manual' || password === '') return;
    const kept = await call('network:setProxyPassword', { password });
    if (kept.ok) setPassword('');
    else setProblem(kept.failure.message);
  };
  const choose = (wanted: ProxyChoice['kind']): void => {
    setKind(wanted);
    setProblem(null);
    if (wanted !== 'manual') void keep({ kind: wanted });
  };
  return (
    <>
      <h3 className={preferences.title}>Network</h3>
      <dl className={preferences.list}>
        <PreferenceLine name="Proxy" hint={hints[kind]}>
          <Segmented
            label="Proxy"
            value={kind}
            options={[
              { value: 'system', label: 'System' },
              { value: 'none', label: 'None' },
              { value: 'manual', label: 'Manual' },
            ]}
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
            void keep({ kind: 'manual', url: address.trim(), ...user });
          }}
        >
          <TextField
            label="Proxy address"
            isMono
            value={address}
            placeholder="http://proxy.example:8080"
            problem={problem}
            hint={
              proxy.kind === 'manual' && proxy.url === address.trim()
                ? 'In use'
                : 'No user name or password: settings do not store secrets'
            }
            onChange={setAddress}
          />
          <TextField
            label="Name at the proxy"
            value={name}
            hint="Empty where the proxy asks for none. Jobdeck signs in by Basic, not by NTLM or Negotiate"
            onChange={setName}
          />
          {name.trim() !== '' && (
            <TextField
              label="Password at the proxy"
              isSecret
              value={password}
              hint="Stored where your keys are, for this proxy and name alone. Leave it empty to keep the saved one"
              onChange={setPassword}
            />
          )}
          <Button type="submit">Use proxy</Button>
        </form>
      )}
      <Checker />
    </>
  );
}

/** Connects to an address and shows how far it got. */
function Checker(): ReactElement {
  const connection = useCurrentConnection();
  const [url, setUrl] = useState(connection?.baseUrl ?? 'https://');
  const [result, setResult] = useState<string | null>(null);
  const [isBad, setBad] = useState(false);
  const [isChecking, setChecking] = useState(false);
  const check = async (): Promise<void> => {
    setChecking(true);
    const answer = await call('network:check', { url: url.trim() });
    setChecking(false);
    setBad(!answer.ok || answer.value.problem !== null);
    setResult(answer.ok ? checkText(answer.value, url) : answer.failure.message);
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void check();
      }}
    >
      <TextField
        label="Address to check"
        isMono
        value={url}
        problem={isBad ? result : null}
        hint={
          <span role="status">
            {result ?? 'Jobdeck asks for the front page, without your key. Certificates of your system are accepted.'}
          </span>
        }
        onChange={setUrl}
      />
      <Button type="submit" disabledReason={isChecking ? 'Checking' : undefined}>
        Check
      </Button>
    </form>
  );
}

/** The result of a check, in one sentence. Pure. */
function checkText({ proxy, authorities, tookMs, problem }: NetworkCheck, url: string): string {
  const by = proxy === null ? 'directly' : `through ${proxy}`;
  if (problem !== null) return `${problem} Jobdeck tried ${by}.`;
  const certificate = url.trim().startsWith('https:')
    ? `, certificate accepted (${formatCount(authorities)} authorities trusted)`
    : '';
  return `Reached ${by} in ${formatCount(tookMs)} ms${certificate}.`;
}
