import { HardDrive, LayoutTemplate, OctagonX, RefreshCw } from 'lucide-react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { hint } from '../call-or-report.ts';
import { plainScope, type CommandSection } from '../commands/scope.ts';
import { templateSection } from '../commands/window-sections.tsx';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { classes } from '../design/class-names.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { Kbd } from '../design/keyboard/kbd.tsx';
import { Menu, type MenuEntry } from '../design/menu/menu.tsx';
import { isCovered } from '../design/keyboard/key-target.ts';
import { isMac } from '../design/keyboard/platform.ts';
import { Segmented } from '../design/segmented.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { PaneSplit } from '../navigation/pane-split.tsx';
import { ErrorBoundary } from '../design/error-boundary.tsx';
import { commonText } from '../messages/common.ts';
import { aboutText } from '../messages/windows/secondary-windows.ts';
import {
  templateCopyText,
  templateProblemText,
  templateStatusText,
  templateWindowText,
} from '../messages/windows/template-window.ts';
import { SecondaryWindow, sandboxOf, useOnline } from './secondary-window.tsx';
import bar from './title-bar.module.css';
import status from './status-bar.module.css';
import { focusNextChange, ReviewPanel } from '../templates/review-panel.tsx';
import { ReadDialog } from '../templates/read-dialog.tsx';
import { useSendRefusal } from '../templates/release-box.tsx';
import { TemplateForm } from '../templates/template-form.tsx';
import { templateKeyOf } from '../templates/template-keys.ts';
import {
  openTemplate,
  prepareUndo,
  redoStep,
  retryLoad,
  send,
  undoStep,
  useTemplate,
} from '../templates/template-store.ts';
import { momentText, sourceText } from '../messages/templates/pane.ts';
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
    <SecondaryWindow
      name={templateWindowText.name(name)}
      icon={<LayoutTemplate />}
      title={name}
      about={aboutText(templateWindowText.kind, connection)}
      sandbox={sandboxOf(connection)}
      actions={
        <>
          <SideChoice side={side} onSide={setSide} />
          <DraftNote />
        </>
      }
      online={online}
      status={<Status />}
      scope={plainScope(connection, () => section(templateId, refusal, () => setReading(true)))}
    >
      <main className={styles.content} data-side={side}>
        <ErrorBoundary part={templateWindowText.part}>
          <PaneSplit
            pane="templateReview"
            className={styles.frame}
            edgeClass={styles.edge}
            left={
              <section className={classes(styles.panel, styles.edit)} aria-label={templateWindowText.kind}>
                <Head name={name} onRead={() => setReading(true)} />
                <Problem />
                {isLoaded ? <TemplateForm /> : <SkeletonRows count={9} height={44} />}
              </section>
            }
            right={
              <ReviewPanel
                className={styles.review}
                connection={connection}
                refusal={refusal}
                onRead={() => setReading(true)}
              />
            }
          />
        </ErrorBoundary>
      </main>
      {isReading && <ReadDialog onClose={() => setReading(false)} />}
    </SecondaryWindow>
  );
}

function section(templateId: string, saveRefusal: string | null, readFromPod: () => void): CommandSection {
  const { edits, past, future } = useTemplate.getState();
  return templateSection({
    templateId,
    saveRefusal,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    hasEdits: Object.keys(edits).length > 0,
    save: () => void send(),
    undo: undoStep,
    redo: redoStep,
    nextChange: () => focusNextChange(edits),
    readFromPod,
  });
}

/** Ctrl S saves, Ctrl Z and Ctrl Shift Z move through the draft's history, Ctrl D moves to the next change. */
function useKeys(canSend: boolean): void {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(isMac ? event.metaKey : event.ctrlKey) || event.altKey || isCovered()) return;
      const key = event.key.toLowerCase();
      // The text that confirms an action is not part of the draft.
      const target = event.composedPath()[0];
      if ((key === 'z' || key === 'y') && target instanceof HTMLInputElement && target.closest('[data-field]') === null)
        return;
      const does = templateKeyOf(event);
      if (does === null) return;
      event.preventDefault();
      if (does === 'undo') undoStep();
      else if (does === 'redo') redoStep();
      else if (does === 'next-change') focusNextChange(useTemplate.getState().edits);
      else if (does === 'send' && canSend) void send();
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
        label={templateWindowText.side}
        value={side}
        options={[
          { value: 'edit', label: templateWindowText.edit },
          { value: 'review', label: templateWindowText.review(changes) },
        ]}
        onChange={onSide}
      />
    </span>
  );
}

function DraftNote() {
  const { draftSavedAtMs, isDraftBehind, draftProblem, edits, pastedEnv } = useTemplate();
  if (draftProblem !== null)
    return (
      <span className={classes(styles.draft, styles.bad)} role="alert">
        {templateWindowText.draftNotSaved(draftProblem.message)}
      </span>
    );
  const isEmpty = Object.keys(edits).length === 0 && pastedEnv === '';
  if (isEmpty || (draftSavedAtMs === null && !isDraftBehind)) return null;
  return (
    <span className={styles.draft} role="status">
      <HardDrive />
      {isDraftBehind || draftSavedAtMs === null
        ? templateWindowText.savingDraft
        : templateWindowText.draftSaved(draftSavedAtMs)}
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
              ? templateWindowText.serverless
              : templateWindowText.forPods,
          known.template.category ?? null,
          known.template.isPublic === undefined || known.template.isPublic === null
            ? null
            : known.template.isPublic
              ? templateWindowText.public
              : templateWindowText.private,
          known.template.isRunpod === true ? templateWindowText.official : null,
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
            <CopyButton label={templateWindowText.copyId} text={() => at?.templateId ?? ''} />
          </span>
          {known !== null && (
            <span>{templateWindowText.lastKnown(momentText(known.seenAtMs, nowMs), sourceText(known.source))}</span>
          )}
          <Copies />
        </div>
      </div>
      <Button size="sm" variant="ghost" icon={<RefreshCw />} onClick={onRead}>
        {templateWindowText.readFromPod}
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
      label: templateCopyText.asOf(momentText(atMs, nowMs)),
      note: sourceText(source),
      onSelect: () => void prepareUndo(seq),
    }));
  return (
    <Menu
      minWidth={280}
      items={[{ kind: 'label', label: templateCopyText.restore }, ...items]}
      trigger={
        <button type="button" className={styles.copies}>
          {templateCopyText.copies(view.history.length)}
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
          title={templateProblemText.couldNotRead}
          actions={
            <Button size="sm" onClick={retryLoad}>
              {commonText.tryAgain}
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
      <Callout icon={<LayoutTemplate />} title={templateProblemText.nothingKnownTitle}>
        <p>{templateProblemText.nothingKnownHint}</p>
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
      ? templateStatusText.inProgress
      : outcome === null
        ? templateStatusText.notSent
        : templateStatusText.outcomes[outcome];
  return (
    <>
      <span>
        {templateStatusText.request} <span className={status.value}>{answer}</span>
      </span>
      {!isLasting && <span className={status.trouble}>{templateStatusText.sessionOnly}</span>}
      <span className={status.space} />
      <span className={classes(status.item, status.wide)}>
        <Kbd keys={['Ctrl', 'D']} />
        {templateStatusText.nextChange}
      </span>
      <span className={classes(status.item, status.wide)}>
        <Kbd keys={['Ctrl', 'Z']} />
        {templateStatusText.undo}
      </span>
    </>
  );
}
