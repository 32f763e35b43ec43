import { HardDrive, LayoutTemplate, OctagonX, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { hint } from '../call-or-report.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { classes } from '../design/class-names.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { formatMinute } from '../../src-preload/format.ts';
import { Kbd } from '../design/kbd.tsx';
import { Menu, type MenuEntry } from '../design/menu.tsx';
import { isCovered } from '../design/key-target.ts';
import { isMac } from '../design/platform.ts';
import { Segmented } from '../design/segmented.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { useNow, useSession } from '../data/session-store.ts';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { OwnWindow, sandboxOf, useOnline } from './own-window.tsx';
import bar from './title-bar.module.css';
import status from './status-bar.module.css';
import { focusNextChange } from '../templates/focus-field.ts';
import { ReadDialog } from '../templates/read-dialog.tsx';
import { useSendRefusal } from '../templates/release-box.tsx';
import { ReviewPanel } from '../templates/review-panel.tsx';
import { TemplateForm } from '../templates/template-form.tsx';
import {
  openTemplate,
  prepareUndo,
  redoStep,
  retryLoad,
  send,
  undoStep,
  useTemplate,
} from '../templates/template-store.ts';
import { momentText, sourceText } from '../templates/template-messages.ts';
import { usePlan } from '../templates/use-plan.ts';
import styles from '../templates/template-window.module.css';

/** A window of its own for a template. */
export function TemplateWindow({ connectionId, templateId }: { connectionId: string; templateId: string }) {
  const connection = useSession(({ connections }) => connections.find(({ id }) => id === connectionId) ?? null);
  const name = useTemplate(({ view }) => view?.known?.template.name ?? null) ?? templateId;
  const isLoaded = useTemplate(({ view }) => view !== null);
  const [side, setSide] = useState<'edit' | 'review'>('edit');
  const [isReading, setReading] = useState(false);
  const online = useOnline(connection);
  const refusal = useSendRefusal(usePlan(), connection);

  useEffect(() => openTemplate({ connectionId, templateId }), [connectionId, templateId]);
  useEffect(() => hint('health:refresh', { connectionId }), [connectionId]);
  useKeys(refusal === null);

  return (
    <OwnWindow
      name={`${name}, template`}
      icon={<LayoutTemplate />}
      title={name}
      about={`Template${connection === null || connection.isSandbox ? '' : `, ${connection.name}`}`}
      sandbox={sandboxOf(connection)}
      actions={
        <>
          <SideChoice side={side} onSide={setSide} />
          <DraftNote />
        </>
      }
      online={online}
      status={<Status />}
    >
      <main className={styles.frame} data-side={side}>
        <ErrorBoundary part="This template">
          <section className={classes(styles.panel, styles.edit)} aria-label="Template">
            <Head name={name} onRead={() => setReading(true)} />
            <Problem />
            {isLoaded ? <TemplateForm /> : <SkeletonRows count={9} height={44} />}
          </section>
          <ReviewPanel
            className={styles.review}
            connection={connection}
            refusal={refusal}
            onRead={() => setReading(true)}
          />
        </ErrorBoundary>
      </main>
      {isReading && <ReadDialog onClose={() => setReading(false)} />}
    </OwnWindow>
  );
}

/** Ctrl S saves, Ctrl Z and Ctrl Shift Z move through the draft's history, Ctrl D moves to the next change. */
function useKeys(canSend: boolean): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(isMac ? event.metaKey : event.ctrlKey) || event.altKey || isCovered()) return;
      const key = event.key.toLowerCase();
      // The text that confirms an action is not part of the draft.
      const target = event.composedPath()[0];
      if ((key === 'z' || key === 'y') && target instanceof HTMLInputElement && target.closest('[data-field]') === null)
        return;
      const run =
        key === 's' && !event.shiftKey
          ? () => {
              if (canSend) void send();
            }
          : key === 'z'
            ? event.shiftKey
              ? redoStep
              : undoStep
            : key === 'y' && !event.shiftKey
              ? redoStep
              : key === 'd' && !event.shiftKey
                ? () => focusNextChange(useTemplate.getState().edits)
                : null;
      if (run === null) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [canSend]);
}

/** Which side is shown if there is room for only one. */
function SideChoice({ side, onSide }: { side: 'edit' | 'review'; onSide: (side: 'edit' | 'review') => void }) {
  const changes = usePlan().changed.length;
  return (
    <span className={styles.sides}>
      <Segmented
        size="sm"
        label="Side"
        value={side}
        options={[
          { value: 'edit', label: 'Edit' },
          { value: 'review', label: changes === 0 ? 'Review' : `Review ${changes}` },
        ]}
        onChange={onSide}
      />
    </span>
  );
}

function DraftNote() {
  const { draftSavedAtMs, isDraftBehind, draftProblem, edits } = useTemplate();
  if (draftProblem !== null)
    return (
      <span className={classes(styles.draft, styles.bad)} role="alert">
        Draft not saved: {draftProblem.message}
      </span>
    );
  if (Object.keys(edits).length === 0 || (draftSavedAtMs === null && !isDraftBehind)) return null;
  return (
    <span className={styles.draft} role="status">
      <HardDrive />
      {isDraftBehind || draftSavedAtMs === null ? 'Saving draft' : `Draft saved ${formatMinute(draftSavedAtMs)}`}
    </span>
  );
}

function Head({ name, onRead }: { name: string; onRead: () => void }) {
  const { at, view } = useTemplate();
  const nowMs = useNow(60_000);
  const known = view?.known ?? null;
  const badges =
    known === null
      ? []
      : [
          known.template.isServerless === undefined || known.template.isServerless === null
            ? null
            : known.template.isServerless
              ? 'Serverless'
              : 'For pods',
          known.template.category ?? null,
          known.template.isPublic === undefined || known.template.isPublic === null
            ? null
            : known.template.isPublic
              ? 'Public'
              : 'Private',
          known.template.isRunpod === true ? 'Official' : null,
        ].filter((badge) => badge !== null && badge !== '');
  return (
    <div className={styles.head}>
      <div className="grow">
        <div className={styles.titleRow}>
          <h2 className={classes(styles.title, 'trunc')} dir="auto">
            {name}
          </h2>
          {badges.map((badge) => (
            <span key={badge} className={bar.badge}>
              {badge}
            </span>
          ))}
        </div>
        <div className={styles.meta}>
          <span className={styles.id}>
            <span className="mono sel">{at?.templateId}</span>
            <CopyButton label="Copy the template's id" text={() => at?.templateId ?? ''} />
          </span>
          {view !== null && (
            <span>
              {known === null
                ? 'Nothing known about it'
                : `Last known ${momentText(known.seenAtMs, nowMs)}, ${sourceText(known.source)}`}
            </span>
          )}
          <Copies />
        </div>
      </div>
      <Button size="sm" variant="ghost" icon={<RefreshCw />} onClick={onRead}>
        Read from a pod
      </Button>
    </div>
  );
}

/** The former copies. Choosing one fills it into the form, to be reviewed and sent. */
function Copies() {
  const view = useTemplate((state) => state.view);
  const nowMs = useNow(60_000);
  if (view === null || view.history.length < 2) return null;
  const items = view.history
    .filter(({ seq }) => seq !== view.known?.seq)
    .slice(0, 20)
    .map(({ seq, atMs, source }): MenuEntry => ({
      kind: 'item',
      label: `As of ${momentText(atMs, nowMs)}`,
      note: sourceText(source),
      onSelect: () => void prepareUndo(seq),
    }));
  return (
    <Menu
      minWidth={280}
      items={[{ kind: 'label', label: 'Restore (opens for review)' }, ...items]}
      trigger={
        <button type="button" className={styles.copies}>
          {view.history.length} saved copies
        </button>
      }
    />
  );
}

/** Why nothing, or not everything, is known of the template. */
function Problem() {
  const { problem, view } = useTemplate();
  if (problem !== null)
    return (
      <div className={styles.notice}>
        <Callout
          tone="error"
          icon={<OctagonX />}
          title="Could not read what is known about this template"
          actions={
            <Button size="sm" onClick={retryLoad}>
              Try again
            </Button>
          }
        >
          <p>{problem.message}</p>
        </Callout>
      </div>
    );
  if (view === null || view.known !== null) return null;
  return (
    <div className={styles.notice}>
      <Callout icon={<LayoutTemplate />} title="Nothing known about this template">
        <p>
          The service cannot return templates. Load it from a pod that uses it, or fill in what you want to change: only
          that is sent, and the service may reset container disk, public, readme, volume and mount path to its defaults
          if you leave them out.
        </p>
      </Callout>
    </div>
  );
}

function Status() {
  const busy = useTemplate((state) => state.busy);
  const outcome = useTemplate(({ view }) => view?.lastUpdate?.outcome.kind ?? null);
  const isLasting = useTemplate(({ view }) => view?.isVaultLasting ?? true);
  const answer =
    busy === 'sending'
      ? 'in progress'
      : outcome === null
        ? 'not sent yet'
        : { pending: 'in progress', applied: 'saved', refused: 'rejected', unknown: 'outcome unknown' }[outcome];
  return (
    <>
      <span>
        POST templates <span className={status.value}>{answer}</span>
      </span>
      {!isLasting && <span className={status.trouble}>Variable values are kept for this session only</span>}
      <span className={status.space} />
      <span className={classes(status.item, status.wide)}>
        <Kbd keys={['Ctrl', 'D']} />
        next change
      </span>
      <span className={classes(status.item, status.wide)}>
        <Kbd keys={['Ctrl', 'Z']} />
        undo
      </span>
    </>
  );
}
