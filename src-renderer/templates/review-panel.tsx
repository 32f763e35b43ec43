import styles from './review.module.css';
import { OctagonX, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import { Callout } from '../design/callout.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { formatCountOf, formatBytes } from '../../src-preload/format.ts';
import { Segmented } from '../design/segmented.tsx';
import { FieldDiff } from './field-diff.tsx';
import { focusField } from './focus-field.ts';
import { LastUpdate } from './last-update.tsx';
import { ReleaseBox } from './release-box.tsx';
import { SentFields } from './sent-fields.tsx';
import { useTemplate } from './template-store.ts';
import { usePlan } from './use-plan.ts';
import type { UpdatePlan } from '../../src-preload/template-plan.ts';
import { useSession } from '../data/session-store.ts';
import { dots } from './template-messages.ts';

const tabs = [
  { value: 'changes', label: 'Changes' },
  { value: 'body', label: 'Request body' },
] as const;

interface ReviewPanelProps {
  connection: Connection | null;
  refusal: string | null;
  onRead: () => void;
  className?: string | undefined;
}

/** What will change, exactly what is sent, and what saving triggers. */
export function ReviewPanel({ connection, refusal, onRead, className }: ReviewPanelProps) {
  const [tab, setTab] = useState<'changes' | 'body'>('changes');
  const { view, edits, failure, notRestorable, wasSeenAnew } = useTemplate();
  const plan = usePlan();
  const known = view?.known?.template ?? null;
  const hasChanges = plan.changed.length > 0;
  return (
    <aside className={`${styles.panel ?? ''} ${className ?? ''}`} aria-label="Review">
      <div className={styles.head}>
        <h2 className="grow">Review</h2>
        <Segmented size="sm" label="Review" value={tab} options={tabs} onChange={setTab} />
      </div>
      <div className={styles.scroll}>
        {failure !== null && (
          <Callout tone="error" icon={<OctagonX />} title="Could not do that">
            <p>{failure.message}</p>
          </Callout>
        )}
        {wasSeenAnew && hasChanges && (
          <Callout icon={<RotateCcw />} title="A newer copy of the template arrived">
            <p>Your edits stay, and are compared with the newer copy.</p>
          </Callout>
        )}
        {notRestorable.length > 0 && (
          <Callout tone="warning" title="Not everything can be restored">
            <p>The former value of {notRestorable.join(', ')} is unknown, or an update cannot send it.</p>
          </Callout>
        )}
        <LastUpdate onRead={onRead} />
        {!hasChanges && <EmptyState art={null} title="No changes" text="Your edits appear here before you save." />}
        {hasChanges && tab === 'body' && <RequestBody plan={plan} />}
        {hasChanges && tab === 'changes' && (
          <>
            <p className={styles.count}>
              <b>{formatCountOf(plan.changed.length, 'field')} changed</b>{' '}
              <span>{known === null ? 'no last known values' : 'against last known'}</span>
            </p>
            <div className={styles.diff}>
              {plan.changed.map((field) => (
                <div key={field} className={styles.block} role="group" aria-label={`Change of ${field}`}>
                  <button type="button" className={styles.key} onClick={() => focusField(field)}>
                    {field}
                  </button>
                  <div className={styles.lines}>
                    <FieldDiff field={field} known={known} edits={edits} />
                  </div>
                </div>
              ))}
            </div>
            <Problems />
            <SentFields plan={plan} isKnown={known !== null} />
          </>
        )}
      </div>
      {hasChanges && <ReleaseBox plan={plan} connection={connection} refusal={refusal} />}
    </aside>
  );
}

function Problems() {
  const { problems } = usePlan();
  if (problems.length === 0) return null;
  return (
    <ul className={styles.problems} aria-label="Fields to fix">
      {problems.map(({ field, index, part, message }) => (
        <li key={`${field}-${index ?? ''}-${part ?? ''}`}>
          <button type="button" onClick={() => focusField(field, index)}>
            <code>
              {field}
              {index === null ? '' : ` ${index + 1}`}
            </code>{' '}
            {message}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The request as it will be sent. Values of variables are dots. */
function RequestBody({ plan }: { plan: UpdatePlan }) {
  const at = useTemplate((state) => state.at);
  const restUrl = useSession(({ connections }) => connections.find(({ id }) => id === at?.connectionId)?.restUrl ?? '');
  const { env, ...rest } = plan.body;
  const body =
    env === undefined ? rest : { ...rest, env: Object.fromEntries(Object.keys(env).map((name) => [name, dots])) };
  const text = JSON.stringify(body, null, 2);
  return (
    <section aria-label="Request body">
      <p className={styles.request}>
        POST {restUrl === '' ? '{rest_url}' : restUrl}/v1/templates/{at?.templateId}/update
      </p>
      <pre className={styles.body} tabIndex={0}>
        {text}
      </pre>
      <p className={styles.about}>
        {env === undefined
          ? `${formatBytes(new TextEncoder().encode(JSON.stringify(body)).length)} of JSON.`
          : 'Variable values are filled in when the request is sent, and never shown.'}{' '}
        Sent once; never repeated automatically.
      </p>
    </section>
  );
}
