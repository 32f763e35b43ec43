import { OctagonX, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { Connection } from '../../src-preload/connection.ts';
import { Callout } from '../design/callout.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { Segmented } from '../design/segmented.tsx';
import { requestBodyText, reviewText } from '../messages/templates/review.ts';
import { dots } from '../messages/templates/env.ts';
import { FieldDiff } from './field-diff.tsx';
import { LastUpdate } from './last-update.tsx';
import { ReleaseBox } from './release-box.tsx';
import { SentFields } from './sent-fields.tsx';
import { useTemplate } from './template-store.ts';
import { usePlan } from './use-plan.ts';
import type { UpdatePlan } from '../../src-preload/template-plan.ts';
import { useSession } from '../data/session-store.ts';
import { updatableFields, type TemplateEdits, type UpdatableField } from '../../src-preload/template.ts';
import styles from './review.module.css';

/** Scrolls to a field of the form and focuses it. `index` is the line of a list. */
function focusField(field: UpdatableField, index: number | null = null): void {
  const frame = document.querySelector<HTMLElement>(`[data-field="${field}"]`);
  frame?.scrollIntoView({ block: 'nearest' });
  const within = index === null ? frame : (frame?.querySelectorAll('li')[index] ?? frame);
  const bad = within?.querySelector<HTMLElement>('[aria-invalid="true"]');
  const editor = within?.querySelector('[data-editor]')?.shadowRoot?.querySelector<HTMLElement>('[role="textbox"]');
  (bad ?? editor ?? within?.querySelector<HTMLElement>('input, textarea, [role="switch"]'))?.focus();
}

/** Focuses the next changed field after the current one. After the last comes the first. */
export function focusNextChange(edits: TemplateEdits): void {
  const changed = updatableFields.filter((field) => Object.hasOwn(edits, field));
  const at = document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset['field'];
  const index = changed.findIndex((field) => field === at);
  const next = changed[(index + 1) % Math.max(1, changed.length)];
  if (next !== undefined) focusField(next);
}

const tabs = [
  { value: 'changes', label: reviewText.changesTab },
  { value: 'body', label: reviewText.bodyTab },
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
  const { view, edits, failure, notRestorable, hasNewerCopy } = useTemplate();
  const plan = usePlan();
  const known = view?.known?.template ?? null;
  const hasChanges = plan.changed.length > 0;
  return (
    <aside className={`${styles.panel ?? ''} ${className ?? ''}`} aria-label={reviewText.title}>
      <div className={styles.head}>
        <h2 className="grow">{reviewText.title}</h2>
        <Segmented size="sm" label={reviewText.title} value={tab} options={tabs} onChange={setTab} />
      </div>
      <div className={styles.scroll}>
        {failure !== null && (
          <Callout tone="error" icon={<OctagonX />} title={reviewText.couldNot}>
            <p>{failure.message}</p>
          </Callout>
        )}
        {hasNewerCopy && hasChanges && (
          <Callout icon={<RotateCcw />} title={reviewText.newerCopy}>
            <p>{reviewText.newerCopyHint}</p>
          </Callout>
        )}
        {notRestorable.length > 0 && (
          <Callout tone="warning" title={reviewText.notRestorable}>
            <p>{reviewText.notRestorableHint(notRestorable)}</p>
          </Callout>
        )}
        <LastUpdate onRead={onRead} />
        {!hasChanges && <EmptyState art={null} title={reviewText.emptyTitle} text={reviewText.emptyHint} />}
        {hasChanges && tab === 'body' && <RequestBody plan={plan} />}
        {hasChanges && tab === 'changes' && (
          <>
            <p className={styles.count}>
              <b>{reviewText.changed(plan.changed.length)}</b>{' '}
              <span>{known === null ? reviewText.noLastKnown : reviewText.againstLastKnown}</span>
            </p>
            <div className={styles.diff}>
              {plan.changed.map((field) => (
                <div key={field} className={styles.block} role="group" aria-label={reviewText.changeOf(field)}>
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
    <ul className={styles.problems} aria-label={reviewText.toFix}>
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

const method = 'POST';

/** The request as it will be sent. Values of variables are dots. */
function RequestBody({ plan }: { plan: UpdatePlan }) {
  const at = useTemplate((state) => state.at);
  const restUrl = useSession(({ connections }) => connections.find(({ id }) => id === at?.connectionId)?.restUrl ?? '');
  const { env, ...rest } = plan.body;
  const body =
    env === undefined ? rest : { ...rest, env: Object.fromEntries(Object.keys(env).map((name) => [name, dots])) };
  const text = JSON.stringify(body, null, 2);
  return (
    <section aria-label={requestBodyText.title}>
      <p className={styles.request}>
        {method} {restUrl === '' ? '{rest_url}' : restUrl}
        {`/v1/templates/${at?.templateId ?? ''}/update`}
      </p>
      <pre className={styles.body} tabIndex={0}>
        {text}
      </pre>
      <p className={styles.about}>
        {env === undefined
          ? requestBodyText.size(new TextEncoder().encode(JSON.stringify(body)).length)
          : requestBodyText.valuesHidden}{' '}
        {requestBodyText.sentOnce}
      </p>
    </section>
  );
}
