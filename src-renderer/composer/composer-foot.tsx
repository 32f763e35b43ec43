import type { ReactElement } from 'react';
import { Button } from '../design/button.tsx';
import { formatCountOf } from '../design/format.ts';
import { Kbd } from '../design/kbd.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { useBulk } from './bulk/bulk-store.ts';
import { batchProblem } from './bulk/use-submit-batch.ts';
import type { ComposerDraft } from './composer-draft.ts';
import { useComposer } from './composer-store.ts';
import { usePresetName } from './presets/preset-actions.ts';
import { useGridEstimate } from './variables/grid-section.tsx';
import { estimateText } from './variables/variable-messages.ts';
import type { DraftCheck } from './draft-check.ts';
import styles from './composer.module.css';

interface BatchFootProps {
  check: DraftCheck;
  canSend: boolean;
  onSubmit: () => void;
}

/** The foot of many inputs: how many rows will be sent. */
export function BatchFoot({ check, canSend, onSubmit }: BatchFootProps): ReactElement {
  const { parsed, isParsing, isSubmitting } = useBulk();
  const rows = parsed.good.length;
  const problem = batchProblem(check, rows, isParsing);
  // An empty field is no mistake yet.
  const isEmpty = rows === 0 && parsed.bad.length === 0;
  return (
    <Foot
      problem={problem}
      refusal={null}
      isQuiet={isEmpty || isParsing}
      isSubmitting={isSubmitting}
      canSend={canSend}
      label={
        isSubmitting
          ? `Saving ${formatCountOf(rows, 'row')}`
          : rows === 0
            ? 'Submit jobs'
            : `Submit ${formatCountOf(rows, 'job')}`
      }
      onSubmit={onSubmit}
    />
  );
}

interface OneFootProps {
  draft: ComposerDraft;
  check: DraftCheck;
  canSend: boolean;
  onSubmit: () => void;
}

/** The foot of one input: of the jobs that its variables make, how many and what they cost. */
export function OneFoot({ draft, check, canSend, onSubmit }: OneFootProps): ReactElement {
  const { refusal, isSubmitting } = useComposer();
  const { jobs } = check.plan;
  const estimate = useGridEstimate(draft, jobs);
  const count = formatCountOf(jobs, 'job');
  return (
    <Foot
      problem={check.problems[0]?.message ?? null}
      // The problem's card says it all beside the line.
      inShort={check.json.ok ? null : `Fix line ${check.json.line} to submit`}
      refusal={refusal?.message ?? null}
      note={jobs > 1 ? estimateText(jobs, estimate) : null}
      isSubmitting={isSubmitting}
      canSend={canSend}
      label={jobs === 1 ? 'Submit job' : isSubmitting ? `Saving ${count}` : `Submit ${count}`}
      onSubmit={onSubmit}
      onSavePreset={() => usePresetName.getState().ask({ kind: 'new' })}
    />
  );
}

/** What keeps the job from being sent, and the button that sends it. */
function Foot(props: {
  problem: string | null;
  /** The problem where it is shown in full elsewhere. */
  inShort?: string | null;
  refusal: string | null;
  /** What will be sent, where nothing keeps it from being sent. */
  note?: string | null;
  isQuiet?: boolean;
  isSubmitting: boolean;
  canSend: boolean;
  label: string;
  onSubmit: () => void;
  onSavePreset?: () => void;
}): ReactElement {
  const said = props.isQuiet === true ? null : (props.refusal ?? props.inShort ?? props.problem);
  return (
    <footer className={styles.foot}>
      <span className={styles.keyHints}>
        <span className={styles.keyHint}>
          <Kbd keys={['Ctrl', '1']} /> input
        </span>
        <span className={styles.keyHint}>
          <Kbd keys={['Ctrl', '2']} /> policy
        </span>
        <span className={styles.keyHint}>
          <Kbd keys={['F8']} /> next problem
        </span>
        {props.onSavePreset !== undefined && (
          <span className={styles.keyHint}>
            <Kbd keys={['Ctrl', 'P']} /> preset
          </span>
        )}
        {props.onSavePreset !== undefined && (
          <span className={styles.keyHint}>
            <Kbd keys={['Ctrl', 'Shift', 'V']} /> paste cURL
          </span>
        )}
      </span>
      <span className={styles.grow} />
      {said === null && !props.canSend && (
        <span className={styles.quiet}>Waits here until the service can be reached</span>
      )}
      {said === null && props.note != null && <span className={styles.estimate}>{props.note}</span>}
      {said === null ? null : (
        <span className={styles.footProblem} role="alert">
          <StatusGlyph look="fail" size={14} />
          <span>{said}</span>
        </span>
      )}
      {props.onSavePreset !== undefined && (
        <Button size="lg" onClick={props.onSavePreset}>
          Save preset
        </Button>
      )}
      <Button
        variant="primary"
        size="lg"
        keys={['Ctrl', '↵']}
        disabledReason={props.problem ?? (props.isSubmitting ? 'Saving…' : undefined)}
        onClick={props.onSubmit}
      >
        {props.label}
      </Button>
    </footer>
  );
}
