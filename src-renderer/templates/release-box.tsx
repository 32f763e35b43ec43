import { Settings, TriangleAlert } from 'lucide-react';
import { endpointName, type Connection } from '../../src-preload/connection.ts';
import { confirmationOf, type TemplateUse } from '../../src-preload/template.ts';
import type { UpdatePlan } from '../../src-preload/template-plan.ts';
import { Button } from '../design/button.tsx';
import { Checkbox } from '../design/choice.tsx';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { formatCountOf } from '../../src-preload/format.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { TextField } from '../design/text-field.tsx';
import { useCondition } from '../data/condition.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { endpointKey } from '../../src-preload/endpoint-key.ts';
import { useSettingsDialog } from '../navigation/settings-store.ts';
import { discard, send, useTemplate } from './template-store.ts';
import { countText } from './template-messages.ts';
import styles from './release-box.module.css';

/** Why the update cannot be sent now, or null. */
export function useSendRefusal(plan: UpdatePlan, connection: Connection | null): string | null {
  const { view, isTicked, typedWord, busy } = useTemplate();
  const condition = useCondition(connection);
  if (connection === null) return 'The connection was removed';
  if (connection.restUrl === '') return 'This connection has no REST URL';
  if (condition?.kind === 'sandbox-stopped') return 'The sandbox is stopped';
  if (condition?.kind === 'no-key') return 'This connection has no key';
  if (condition?.kind === 'key-refused')
    return `The service refused the key of this connection (${condition.httpStatus})`;
  if (busy === 'sending') return 'Sending…';
  if (view === null || plan.changed.length === 0) return 'No changes';
  if (plan.problems.length > 0)
    return plan.problems.length === 1 ? 'One field needs fixing' : `${plan.problems.length} fields need fixing`;
  return missingConfirmation(confirmationOf(view.templateId, view.known?.template ?? null), typedWord, isTicked);
}

/** What the box asks for and does not have yet, or null. */
function missingConfirmation(
  word: ReturnType<typeof confirmationOf>,
  typedWord: string,
  isTicked: boolean,
): string | null {
  if (word !== null && typedWord !== word.word) return `Enter the ${word.kind} of the template first`;
  return isTicked ? null : 'Tick the box first';
}

interface ReleaseBoxProps {
  plan: UpdatePlan;
  connection: Connection | null;
  refusal: string | null;
}

/** What saving triggers, and the button for it (ruling 31). */
export function ReleaseBox({ plan, connection, refusal }: ReleaseBoxProps) {
  const { view, isTicked, typedWord, busy } = useTemplate();
  if (view === null) return null;
  const template = view.known?.template ?? null;
  const uses = view.uses;
  const isOfPods = template?.isServerless === false;
  const word = confirmationOf(view.templateId, template);
  // The field and the box above the button ask for it already.
  const isAskedForAbove = refusal === missingConfirmation(word, typedWord, isTicked);
  return (
    <section className={styles.box} aria-label="Saving">
      <div className={styles.head}>
        <TriangleAlert />
        <div className="grow">
          <h3>{isOfPods ? 'Saving changes a template of pods' : 'Saving starts a rolling release'}</h3>
          <p>
            {isOfPods
              ? 'Running pods are not affected; new ones use what you save.'
              : 'Every endpoint that uses this template replaces its workers.'}{' '}
            {usesText(uses.length, isOfPods)}
          </p>
          {template?.isRunpod === true && (
            <p className={styles.official}>
              This is an official template, managed by the platform operator. The service may refuse the change, and
              others use the template.
            </p>
          )}
        </div>
      </div>
      {connection?.restUrl === '' && (
        <div className={styles.noUrl}>
          <p>This connection has no REST URL, which templates need.</p>
          <Button
            size="sm"
            icon={<Settings />}
            onClick={() => useSettingsDialog.getState().open('connections', connection.id)}
          >
            Open its settings
          </Button>
        </div>
      )}
      {uses.length > 0 && (
        <ul className={styles.uses}>
          {uses.slice(0, 6).map((use) => (
            <UseLine key={use.endpointId} connectionId={view.connectionId} use={use} />
          ))}
          {uses.length > 6 && (
            <li className={styles.use}>
              <span className={styles.quiet}>and {uses.length - 6} more</span>
            </li>
          )}
        </ul>
      )}
      {word !== null && (
        <TextField
          size="sm"
          className={styles.word}
          label={
            <>
              Type the {word.kind === 'name' ? "template's name" : "template's id"}, <b className="sel">{word.word}</b>,
              to confirm
            </>
          }
          value={typedWord}
          onChange={(text) => useTemplate.setState({ typedWord: text })}
        />
      )}
      <div className={styles.tick}>
        <Checkbox
          label={tickLabel(uses.length, isOfPods)}
          isOn={isTicked}
          onChange={(isOn) => useTemplate.setState({ isTicked: isOn })}
        />
      </div>
      <div className={styles.buttons}>
        <Button size="lg" onClick={discard} disabledReason={busy === 'sending' ? 'Sending…' : undefined}>
          Discard
        </Button>
        <Button
          size="lg"
          variant="primary"
          className="grow"
          keys={['Ctrl', 'S']}
          disabledReason={refusal ?? undefined}
          onClick={() => void send()}
        >
          {busy === 'sending' ? 'Sending' : saveText(uses.length, isOfPods)}
        </Button>
      </div>
      {plan.changed.length > 0 && refusal !== null && !isAskedForAbove && (
        <p className={styles.quiet} role="status">
          {refusal}.
        </p>
      )}
    </section>
  );
}

function usesText(count: number, isOfPods: boolean): string {
  if (count === 0) return isOfPods ? '' : 'Jobdeck knows of none. There may be some.';
  return `Jobdeck knows of ${countText(count)}. There may be others.`;
}

function tickLabel(count: number, isOfPods: boolean): string {
  if (isOfPods && count === 0) return 'I want to change this template now';
  if (count === 0) return 'I want its endpoints to roll now';
  return count === 1
    ? 'I want this endpoint to roll now'
    : count === 2
      ? 'I want both endpoints to roll now'
      : `I want all ${countText(count)} endpoints to roll now`;
}

function saveText(count: number, isOfPods: boolean): string {
  if (isOfPods && count === 0) return 'Save template';
  return count === 0 ? 'Save and roll its endpoints' : `Save and roll ${formatCountOf(count, 'endpoint')}`;
}

function UseLine({ connectionId, use }: { connectionId: string; use: TemplateUse }) {
  const connections = useSession((state) => state.connections);
  const health = useSession((state) => state.health[endpointKey(connectionId, use.endpointId)]);
  const endpoint = findEndpoint(connections, connectionId, use.endpointId);
  const workers = health === undefined ? null : health.workers.running + health.workers.idle;
  return (
    <li className={styles.use}>
      <EndpointIcon endpoint={endpoint} />
      <span className={`${styles.endpoint ?? ''} trunc`}>{endpointName(endpoint)}</span>
      {health === undefined ? (
        <span className={styles.quiet}>health not known</span>
      ) : health.jobs.inProgress > 0 ? (
        <span className={styles.running}>
          <StatusGlyph kind="run" size={12} />
          {health.jobs.inProgress} running
        </span>
      ) : (
        <span className={styles.quiet}>idle</span>
      )}
      {workers !== null && <span className={styles.quiet}>{formatCountOf(workers, 'worker')}</span>}
    </li>
  );
}
