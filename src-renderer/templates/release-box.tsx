import { Settings, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { endpointName, type Connection } from '../../src-preload/connection.ts';
import { confirmationOf, type TemplateUse } from '../../src-preload/template.ts';
import type { UpdatePlan } from '../../src-preload/template-plan.ts';
import { Button } from '../design/button.tsx';
import { Checkbox } from '../design/form/choice.tsx';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { useConnectionState } from '../data/connection-state.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { validReading, watchHealth } from '../data/watch-health.ts';
import { endpointKey } from '../../src-preload/endpoint-key.ts';
import { commonText } from '../messages/common.ts';
import { releaseText, sendRefusalText, templateUseText } from '../messages/templates/saving.tsx';
import { useSettingsDialog } from '../navigation/settings-dialog-store.ts';
import { discard, send, useTemplate } from './template-store.ts';
import styles from './release-box.module.css';

/** Why the update cannot be sent now, or null. */
export function useSendRefusal(plan: UpdatePlan, connection: Connection | null): string | null {
  const { view, isTicked, typedWord, busy } = useTemplate();
  const connectionState = useConnectionState(connection);
  if (connection === null) return sendRefusalText.connectionRemoved;
  if (connection.restUrl === '') return commonText.noRestUrl;
  if (connectionState?.kind === 'sandbox-stopped') return sendRefusalText.sandboxStopped;
  if (connectionState?.kind === 'no-key') return sendRefusalText.noKey;
  if (connectionState?.kind === 'key-refused') return sendRefusalText.keyRefused(connectionState.httpStatus);
  if (busy === 'sending') return sendRefusalText.sending;
  if (view === null || plan.changed.length === 0) return sendRefusalText.noChanges;
  if (plan.problems.length > 0) return sendRefusalText.toFix(plan.problems.length);
  return missingConfirmation(confirmationOf(view.templateId, view.known?.template ?? null), typedWord, isTicked);
}

/** What the box asks for and does not have yet, or null. */
function missingConfirmation(
  word: ReturnType<typeof confirmationOf>,
  typedWord: string,
  isTicked: boolean,
): string | null {
  if (word !== null && typedWord !== word.word) return sendRefusalText.enterFirst(word.kind);
  return isTicked ? null : sendRefusalText.tickFirst;
}

/** More endpoints than these are only counted. */
const shownUses = 6;

interface ReleaseBoxProps {
  plan: UpdatePlan;
  connection: Connection | null;
  refusal: string | null;
}

/** What saving triggers, and the button for it (ruling 31). */
export function ReleaseBox({ plan, connection, refusal }: ReleaseBoxProps) {
  const { view, isTicked, typedWord, busy } = useTemplate();
  // The user decides by the figures of these endpoints, so they are read as long as they are shown.
  useEffect(() => {
    if (view === null) return undefined;
    return watchHealth(
      view.connectionId,
      view.uses.slice(0, shownUses).map(({ endpointId }) => endpointId),
    );
  }, [view]);
  if (view === null) return null;
  const template = view.known?.template ?? null;
  const uses = view.uses;
  const isOfPods = template?.isServerless === false;
  const word = confirmationOf(view.templateId, template);
  // The field and the box above the button ask for it already.
  const isShownAbove = refusal === missingConfirmation(word, typedWord, isTicked);
  return (
    <section className={styles.box} aria-label={releaseText.region}>
      <div className={styles.head}>
        <TriangleAlert />
        <div className="grow">
          <h3>{releaseText.title(isOfPods)}</h3>
          <p>
            {releaseText.effect(isOfPods)} {releaseText.uses(uses.length, isOfPods)}
          </p>
          {template?.isRunpod === true && <p className={styles.official}>{releaseText.official}</p>}
        </div>
      </div>
      {connection?.restUrl === '' && (
        <div className={styles.noUrl}>
          <p>{releaseText.noRestUrl}</p>
          <Button
            size="sm"
            icon={<Settings />}
            onClick={() => useSettingsDialog.getState().open('connections', connection.id)}
          >
            {releaseText.openSettings}
          </Button>
        </div>
      )}
      {uses.length > 0 && (
        <ul className={styles.uses}>
          {uses.slice(0, shownUses).map((use) => (
            <UseLine key={use.endpointId} connectionId={view.connectionId} use={use} />
          ))}
          {uses.length > shownUses && (
            <li className={styles.use}>
              <span className={styles.quiet}>{releaseText.more(uses.length - shownUses)}</span>
            </li>
          )}
        </ul>
      )}
      {word !== null && (
        <TextField
          size="sm"
          className={styles.word}
          label={releaseText.confirm(word.kind, <b className="sel">{word.word}</b>)}
          value={typedWord}
          onChange={(text) => useTemplate.setState({ typedWord: text })}
        />
      )}
      <div className={styles.tick}>
        <Checkbox
          label={releaseText.tick(uses.length, isOfPods)}
          isOn={isTicked}
          onChange={(isOn) => useTemplate.setState({ isTicked: isOn })}
        />
      </div>
      <div className={styles.buttons}>
        <Button size="lg" onClick={discard} disabledReason={busy === 'sending' ? sendRefusalText.sending : undefined}>
          {releaseText.discard}
        </Button>
        <Button
          size="lg"
          variant="primary"
          className={styles.save}
          keys={['Ctrl', 'S']}
          disabledReason={refusal ?? undefined}
          onClick={() => void send()}
        >
          {busy === 'sending' ? releaseText.sending : releaseText.save(uses.length, isOfPods)}
        </Button>
      </div>
      {plan.changed.length > 0 && refusal !== null && !isShownAbove && (
        <p className={styles.quiet} role="status">
          {refusal}.
        </p>
      )}
    </section>
  );
}

function UseLine({ connectionId, use }: { connectionId: string; use: TemplateUse }) {
  const connections = useSession((state) => state.connections);
  const read = useSession((state) => state.health[endpointKey({ connectionId, endpointId: use.endpointId })]);
  const health = validReading(read, useNow(5_000));
  const endpoint = findEndpoint(connections, connectionId, use.endpointId);
  const workers = health === undefined ? null : health.workers.running + health.workers.idle;
  return (
    <li className={styles.use}>
      <EndpointIcon endpoint={endpoint} />
      <span className={`${styles.endpoint ?? ''} trunc`}>{endpointName(endpoint)}</span>
      {health === undefined ? (
        <span className={styles.quiet}>{templateUseText.healthNotKnown}</span>
      ) : health.jobs.inProgress > 0 ? (
        <span className={styles.running}>
          <StatusGlyph kind="run" size={12} />
          {templateUseText.running(health.jobs.inProgress)}
        </span>
      ) : (
        <span className={styles.quiet}>{templateUseText.idle}</span>
      )}
      {workers !== null && <span className={styles.quiet}>{templateUseText.workers(workers)}</span>}
    </li>
  );
}
