import { useState, type ReactElement } from 'react';
import type { NewVersion, UpdateState } from '../../src-preload/update.ts';
import { callOrReport } from '../call-or-report.ts';
import { useCall } from '../data/calls.ts';
import { changeSettings, chooseSettings, useSession } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { formatDay } from '../../src-preload/format.ts';
import { LineSwitch } from '../design/choice.tsx';
import { TextField } from '../design/text-field.tsx';
import { PreferenceLine } from './preference-line.tsx';
import preferences from './preferences.module.css';
import styles from './update-section.module.css';

/** Whether there is a newer version of Jobdeck, and the state of its installation. */
export function UpdateSection(): ReactElement | null {
  const { data: state } = useCall('update:state', undefined, { isKeptByEvents: true, isFailureToast: true });
  const { updates } = useSession((session) => session.settings);
  if (state === undefined) return null;
  return (
    <section aria-label="Updates" className={styles.section}>
      <div className={styles.line}>
        <p className={styles.state} role="status">
          {stateText(state)}
        </p>
        <UpdateAction state={state} />
      </div>
      {'offered' in state && state.offered.notes !== null && (
        <pre className={styles.notes} tabIndex={0} role="region" aria-label="What is new">
          {state.offered.notes}
        </pre>
      )}
      <dl className={preferences.list}>
        <PreferenceLine
          name="Check automatically"
          hint="Once a day, while Jobdeck is in use. The feed sees your IP address and nothing else"
        >
          <LineSwitch
            name="Check for updates automatically"
            isOn={updates.isAutomatic}
            onChange={(isAutomatic) => void chooseSettings({ updates: { ...updates, isAutomatic } })}
          />
        </PreferenceLine>
      </dl>
      <FeedAddress />
    </section>
  );
}

/** The next step. */
function UpdateAction({ state }: { state: UpdateState }): ReactElement | null {
  switch (state.kind) {
    case 'not-installed':
      return null;
    case 'available':
      return (
        <Button variant="primary" onClick={() => callOrReport('update:download', undefined)}>
          Download
        </Button>
      );
    case 'ready':
      return (
        <Button variant="primary" onClick={() => callOrReport('update:restart', undefined)}>
          Restart now
        </Button>
      );
    case 'downloading':
      return (
        <progress className={styles.progress} aria-label="Download" value={Math.round(state.share * 100)} max={100} />
      );
    case 'unchecked':
    case 'checking':
    case 'newest':
    case 'failed':
      return (
        <Button
          disabledReason={state.kind === 'checking' ? 'Checking' : undefined}
          onClick={() => callOrReport('update:check', undefined)}
        >
          Check for updates
        </Button>
      );
  }
}

/** Where updates come from. */
function FeedAddress(): ReactElement {
  const { updates } = useSession((session) => session.settings);
  const [address, setAddress] = useState(updates.feedUrl ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const keep = async (): Promise<void> => {
    const feedUrl = address.trim() === '' ? null : address.trim();
    const failure = await changeSettings({ updates: { ...updates, feedUrl } });
    setProblem(failure?.message ?? null);
  };
  const isInUse = address.trim() === (updates.feedUrl ?? '');
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void keep();
      }}
    >
      <TextField
        label="Update feed"
        isMono
        value={address}
        placeholder="The feed of this package"
        problem={problem}
        hint={isInUse ? 'Jobdeck checks this address for updates' : 'Leave empty for the feed of this package'}
        onChange={setAddress}
      />
      <Button type="submit" disabledReason={isInUse ? 'This feed is in use' : undefined}>
        Use feed
      </Button>
    </form>
  );
}

/** The state in one or two sentences. Pure. */
function stateText(state: UpdateState): string {
  switch (state.kind) {
    case 'not-installed':
      return 'This copy was not installed from a package, so it does not update itself.';
    case 'unchecked':
      return 'Not checked for updates since Jobdeck started.';
    case 'checking':
      return 'Checking for updates…';
    case 'newest':
      return 'This is the newest version.';
    case 'available':
      return `Jobdeck ${describe(state.offered)} is available.`;
    case 'downloading':
      return `Downloading Jobdeck ${state.offered.version}…`;
    case 'ready':
      return `Jobdeck ${state.offered.version} is ready. It is installed when Jobdeck quits.`;
    case 'failed':
      return state.message;
  }
}

function describe({ version, releasedAtMs }: NewVersion): string {
  return releasedAtMs === null ? version : `${version} of ${formatDay(releasedAtMs, Date.now())}`;
}
