import type { ReactElement, Ref } from 'react';
import { policyDefaults } from '../../src-preload/job.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { formatCount, formatDuration, formatMeasured } from '../../src-preload/format.ts';
import { Switch } from '../design/choice.tsx';
import { TextField } from '../design/text-field.tsx';
import { useSession } from '../data/session-store.ts';
import type { ComposerDraft } from './composer-draft.ts';
import type { DraftCheck } from './draft-check.ts';
import { writeDuration } from '../../src-preload/duration-text.ts';
import styles from './options.module.css';

interface PolicyFieldsProps {
  draft: ComposerDraft;
  check: DraftCheck;
  /** The field that gets the focus. */
  firstField: Ref<HTMLInputElement>;
  onChange: (patch: Partial<ComposerDraft>) => void;
}

/**
 * executionTimeout, ttl and lowPriority, with a drawing to scale of what the ttl covers (spec: policy object; ruling
 * 18).
 */
export function PolicyFields({ draft, check, firstField, onChange }: PolicyFieldsProps): ReactElement {
  const executionMs = check.policy.executionTimeout ?? policyDefaults.executionTimeoutMs;
  const ttlMs = check.policy.ttl ?? policyDefaults.ttlMs;
  const problem = (field: string): string | undefined => check.problems.find((each) => each.field === field)?.message;
  const executionProblem = problem('executionTimeout');
  const ttlProblem = problem('ttl');
  return (
    <section className={styles.section}>
      <div className={styles.sectionHead}>
        <h3>Policy</h3>
        <Button
          variant="ghost"
          size="sm"
          onClick={() => onChange({ executionTimeoutText: '', ttlText: '', isLowPriority: false, isKeptWhole: true })}
        >
          Reset to defaults
        </Button>
      </div>
      <div className={classes(styles.two, styles.defaults)}>
        <TextField
          label="Execution timeout"
          size="sm"
          inputRef={firstField}
          value={draft.executionTimeoutText}
          placeholder={writeDuration(policyDefaults.executionTimeoutMs)}
          trailing={<span className={styles.unit}>{formatCount(executionMs)} ms</span>}
          {...(executionProblem === undefined ? {} : { problem: executionProblem })}
          onChange={(executionTimeoutText) => onChange({ executionTimeoutText })}
        />
        <TextField
          label="Time to live (ttl)"
          size="sm"
          value={draft.ttlText}
          placeholder={writeDuration(policyDefaults.ttlMs)}
          trailing={<span className={styles.unit}>{formatCount(ttlMs)} ms</span>}
          {...(ttlProblem === undefined ? {} : { problem: ttlProblem })}
          onChange={(ttlText) => onChange({ ttlText })}
        />
      </div>
      <Coverage endpointId={draft.endpointId} executionMs={executionMs} ttlMs={ttlMs} />
      {executionMs > ttlMs ? (
        <p className={styles.warning}>
          The ttl is shorter than the execution timeout. The service deletes the job when its ttl ends, even while it
          runs.
        </p>
      ) : null}
      <div className={styles.switches}>
        <Switch
          label="Low priority"
          hint="Waits for an idle worker; never scales up"
          isOn={draft.isLowPriority}
          onChange={(isLowPriority) => onChange({ isLowPriority })}
        />
        <Switch
          label="Keep everything"
          hint={'Save the stream as it arrives, even in the background. Off: fetch it once when the job ends'}
          isOn={draft.isKeptWhole}
          onChange={(isKeptWhole) => onChange({ isKeptWhole })}
        />
      </div>
    </section>
  );
}

interface CoverageProps {
  endpointId: string;
  executionMs: number;
  ttlMs: number;
}

function Coverage({ endpointId, executionMs, ttlMs }: CoverageProps): ReactElement {
  const queueMs = useSession((state) => state.runTimes[endpointId]?.delayP95Ms ?? null);
  const shown = queueMs ?? 0;
  const share = (ms: number): string => `${Math.max(0, Math.min(100, (ms / ttlMs) * 100))}%`;
  const slackMs = ttlMs - shown - executionMs;
  return (
    <div className={styles.cover}>
      <div className={styles.lane} aria-hidden>
        {queueMs === null ? null : <span className={styles.queue} style={{ width: share(shown) }} />}
        <span className={styles.execution} style={{ width: share(executionMs) }} />
        <span className={styles.slack} />
      </div>
      <div className={styles.coverText}>
        {queueMs === null ? null : (
          <span>
            <i className={styles.queueKey} />
            Queue p95 {formatMeasured(queueMs)}
          </span>
        )}
        <span>
          <i className={styles.executionKey} />
          Execution {formatDuration(executionMs)}
        </span>
        <span>
          <i className={styles.slackKey} />
          {slackMs >= 0 ? `Slack ${formatDuration(slackMs)}` : 'No slack'}
        </span>
      </div>
      <p className={styles.hint}>
        ttl starts at submission and covers both. If it runs out, the job is deleted even while running.
      </p>
    </div>
  );
}
