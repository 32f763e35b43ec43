import { useId, useState, type ReactElement } from 'react';
import type { UpdateState } from '../../src-preload/update.ts';
import { callOrReport } from '../call-or-report.ts';
import { useCall } from '../data/calls.ts';
import { useSession } from '../data/session-store.ts';
import { changeSettings, chooseSettings } from '../data/change-settings.ts';
import { useNow } from '../data/use-now.ts';
import { isLike, unsavedForms } from '../data/unsaved-forms.ts';
import { withoutLogin } from '../data/without-login.ts';
import { Button } from '../design/button.tsx';
import { LineSwitch } from '../design/form/choice.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { updateFeedText, updateStateText, updateText } from '../messages/settings/about.ts';
import { PreferenceLine } from './preference-line.tsx';
import preferences from './preferences.module.css';
import styles from './update-section.module.css';

/** Whether there is a newer version of Jobdeck, and the state of its installation. */
export function UpdateSection(): ReactElement {
  const { data: state } = useCall('update:state', undefined, { isKeptByEvents: true, isFailureToast: true });
  const { updates } = useSession((session) => session.settings);
  const nowMs = useNow(60_000);
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className={styles.section}>
      <h4 id={headingId} className={styles.heading}>
        {updateText.title}
      </h4>
      <div className={styles.line}>
        <p className={styles.state} role="status">
          {state !== undefined && updateStateText(state, nowMs)}
        </p>
        {state !== undefined && <UpdateAction state={state} />}
      </div>
      {state !== undefined && 'offered' in state && state.offered.notes !== null && (
        <pre className={styles.notes} tabIndex={0} role="region" aria-label={updateText.notes}>
          {state.offered.notes}
        </pre>
      )}
      <dl className={preferences.list}>
        <PreferenceLine name={updateText.automatic} hint={updateText.automaticHint}>
          <LineSwitch
            name={updateText.automatic}
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
          {updateText.download}
        </Button>
      );
    case 'ready':
      return (
        <Button variant="primary" onClick={() => callOrReport('update:restart', undefined)}>
          {updateText.restart}
        </Button>
      );
    case 'downloading':
      return (
        <progress
          className={styles.progress}
          aria-label={updateText.download}
          value={Math.round(state.share * 100)}
          max={100}
        />
      );
    case 'unchecked':
    case 'checking':
    case 'newest':
    case 'failed':
      return (
        <Button
          disabledReason={state.kind === 'checking' ? updateText.checking : undefined}
          onClick={() => callOrReport('update:check', undefined)}
        >
          {updateText.check}
        </Button>
      );
  }
}

const unsaved = unsavedForms<string>({ kind: 'feed', isForm: isLike(''), withoutSecrets: withoutLogin });
const form = 'feed';

/** Where updates come from. An entered address stays while the settings are closed. */
function FeedAddress(): ReactElement {
  const { updates } = useSession((session) => session.settings);
  const { fields: address, change: setAddress } = unsaved.useForm(form, updates.feedUrl ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const keep = async (): Promise<void> => {
    const feedUrl = address.trim() === '' ? null : address.trim();
    const failure = await changeSettings({ updates: { ...updates, feedUrl } });
    setProblem(failure?.message ?? null);
    if (failure === null) unsaved.end(form);
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
        label={updateFeedText.label}
        isMono
        value={address}
        placeholder={updateFeedText.ofPackage}
        problem={problem}
        hint={isInUse && address.trim() !== '' ? updateFeedText.inUseHint : updateFeedText.emptyHint}
        onChange={setAddress}
      />
      <Button size="lg" type="submit" disabledReason={isInUse ? updateFeedText.inUse : undefined}>
        {updateFeedText.use}
      </Button>
    </form>
  );
}
