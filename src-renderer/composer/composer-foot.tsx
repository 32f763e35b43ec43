import { ChevronDown, TriangleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../design/button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Kbd } from '../design/keyboard/kbd.tsx';
import { Menu } from '../design/menu/menu.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { composerFootText } from '../messages/composer/sheet.ts';
import { estimateText } from '../messages/composer/variables.ts';
import { useBulk } from './bulk/bulk-store.ts';
import type { RowsPlan } from './bulk/row-plan.ts';
import { batchProblem } from './bulk/use-submit-batch.ts';
import type { ComposerDraft } from './composer-draft.ts';
import { useComposer } from './composer-store.ts';
import { useUnsavedProfile } from './s3-fields.tsx';
import { usePresetName } from './presets/preset-actions.ts';
import type { AfterSubmit } from './use-submit.ts';
import { useGridEstimate } from './variables/grid-section.tsx';
import type { DraftCheck } from './draft-check.ts';
import styles from './composer.module.css';

interface BatchFootProps {
  draft: ComposerDraft;
  check: DraftCheck;
  plan: RowsPlan;
  /** Null: it is sent now. */
  sentWhen: string | null;
  onSubmit: () => void;
}

/** The footer for many inputs: how many jobs will be sent and their cost. */
export function BatchFoot({ draft, check, plan, sentWhen, onSubmit }: BatchFootProps): ReactElement {
  const isParsing = useBulk((state) => state.isParsing);
  const isSubmitting = useBulk((state) => state.isSubmitting);
  const hasRows = useBulk((state) => state.parsed.good.length > 0 || state.parsed.bad.length > 0);
  const { jobs } = plan;
  const problem = batchProblem(check, plan, isParsing);
  const estimate = useGridEstimate(draft, jobs);
  return (
    <Foot
      draft={draft}
      keyHints={[
        [['Ctrl', '1'], composerFootText.keyInputs],
        [['Ctrl', '2'], composerFootText.keyPolicy],
        [['F8'], composerFootText.keyNextProblem],
        [['Ctrl', 'P'], composerFootText.keyPreset],
      ]}
      problem={problem}
      refusal={null}
      warning={null}
      note={jobs > 0 ? estimateText(jobs, estimate) : null}
      // An empty field is not an error yet.
      isQuiet={!hasRows || isParsing}
      isSubmitting={isSubmitting}
      sentWhen={sentWhen}
      label={
        isSubmitting
          ? composerFootText.savingJobs(jobs)
          : jobs === 0
            ? composerFootText.submitNone
            : composerFootText.submitJobs(jobs)
      }
      onSubmit={onSubmit}
    />
  );
}

interface OneFootProps {
  draft: ComposerDraft;
  check: DraftCheck;
  /** Null: it is sent now. */
  sentWhen: string | null;
  onSubmit: (after: AfterSubmit) => void;
}

/** The footer for one input: the number and cost of the jobs that its variables make. */
export function OneFoot({ draft, check, sentWhen, onSubmit }: OneFootProps): ReactElement {
  const refusal = useComposer((state) => state.refusal);
  const isSubmitting = useComposer((state) => state.isSubmitting);
  const { jobs } = check.plan;
  const estimate = useGridEstimate(draft, jobs);
  return (
    <Foot
      draft={draft}
      keyHints={[
        [['Ctrl', '1'], composerFootText.keyInput],
        [['Ctrl', '2'], composerFootText.keyPolicy],
        [['Ctrl', 'P'], composerFootText.keyPreset],
        [['Ctrl', 'Shift', 'V'], composerFootText.keyPaste],
      ]}
      problem={check.problems[0]?.message ?? null}
      // The card beside the line explains the problem.
      inShort={check.json.ok ? null : composerFootText.fixLine(check.json.line)}
      refusal={refusal?.message ?? null}
      warning={check.warnings[0]?.message ?? null}
      note={jobs > 1 ? estimateText(jobs, estimate) : null}
      isSubmitting={isSubmitting}
      sentWhen={sentWhen}
      label={
        jobs === 1
          ? composerFootText.submitJob
          : isSubmitting
            ? composerFootText.savingJobs(jobs)
            : composerFootText.submitJobs(jobs)
      }
      onSubmit={() => onSubmit('open')}
      onSubmitAndStay={() => onSubmit('stay')}
    />
  );
}

interface FootProps {
  draft: ComposerDraft;
  keyHints: readonly (readonly [keys: readonly string[], does: string])[];
  problem: string | null;
  /** A short form of the problem, if it is shown in full elsewhere. */
  inShort?: string | null;
  refusal: string | null;
  /** What is probably not meant, if there is no problem. */
  warning: string | null;
  /** What will be sent, if there is no problem. */
  note: string | null;
  isQuiet?: boolean;
  isSubmitting: boolean;
  /** Null: it is sent now. */
  sentWhen: string | null;
  label: string;
  onSubmit: () => void;
  onSubmitAndStay?: () => void;
}

/** Why the job cannot be sent, and the button that sends it. */
function Foot(props: FootProps): ReactElement {
  const unsaved = useUnsavedProfile(props.draft);
  const warning = unsaved ?? props.warning;
  const message = props.isQuiet === true ? null : (props.refusal ?? props.inShort ?? props.problem);
  return (
    <footer className={styles.foot}>
      <span className={styles.keyHints}>
        {props.keyHints.map(([keys, does]) => (
          <span key={does} className={styles.keyHint}>
            <Kbd keys={keys} /> {does}
          </span>
        ))}
      </span>
      <span className={styles.grow} />
      {message === null && props.sentWhen !== null && (
        <span className={styles.quiet}>{composerFootText.waits(props.sentWhen)}</span>
      )}
      {message === null && warning !== null && (
        <span className={styles.footWarning} role="status">
          <TriangleAlert size={14} strokeWidth={1.75} aria-hidden />
          <span>{warning}</span>
        </span>
      )}
      {message === null && props.note !== null && <span className={styles.estimate}>{props.note}</span>}
      {message !== null && (
        <span className={styles.footProblem} role="alert">
          <StatusGlyph kind="fail" size={14} />
          <span>{message}</span>
        </span>
      )}
      <Button size="lg" onClick={() => usePresetName.getState().setSubject({ kind: 'new' })}>
        {composerFootText.savePreset}
      </Button>
      <SubmitButton {...props} />
    </footer>
  );
}

/** Submits and opens the job. The menu beside it has the other way to submit. */
function SubmitButton({ problem, isSubmitting, label, onSubmit, onSubmitAndStay }: FootProps): ReactElement {
  const disabledReason = problem ?? (isSubmitting ? composerFootText.saving : undefined);
  const isSplit = onSubmitAndStay !== undefined;
  return (
    <span className={styles.split}>
      <Button
        variant="primary"
        size="lg"
        keys={['Ctrl', '↵']}
        className={isSplit ? styles.splitMain : undefined}
        disabledReason={disabledReason}
        onClick={onSubmit}
      >
        {label}
      </Button>
      {isSplit && (
        <Menu
          align="end"
          trigger={
            <IconButton
              size="lg"
              className={styles.splitMore}
              label={composerFootText.moreWays}
              icon={<ChevronDown size={14} strokeWidth={1.75} />}
            />
          }
          items={[
            {
              kind: 'item',
              label: composerFootText.submitAndOpen,
              keys: ['Ctrl', '↵'],
              disabledReason,
              onSelect: onSubmit,
            },
            {
              kind: 'item',
              label: composerFootText.submitAndStay,
              keys: ['Ctrl', 'Shift', '↵'],
              disabledReason,
              onSelect: onSubmitAndStay,
            },
          ]}
        />
      )}
    </span>
  );
}
