import type { ReactElement, Ref } from 'react';
import { endpointKey } from '../../src-preload/endpoint-key.ts';
import { policyDefaults } from '../../src-preload/job-bounds.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { Switch } from '../design/form/choice.tsx';
import { TextField } from '../design/form/text-field.tsx';
import { useSession } from '../data/session-store.ts';
import { coverageText, policyText } from '../messages/composer/options.ts';
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
        <h3>{policyText.title}</h3>
        <Button
          variant="ghost"
          size="sm"
          onClick={() => onChange({ executionTimeoutText: '', ttlText: '', isLowPriority: false, isKeptWhole: true })}
        >
          {policyText.reset}
        </Button>
      </div>
      <div className={classes(styles.two, styles.defaults)}>
        <TextField
          label={policyText.executionTimeout}
          size="sm"
          inputRef={firstField}
          value={draft.executionTimeoutText}
          placeholder={writeDuration(policyDefaults.executionTimeoutMs)}
          trailing={<span className={styles.unit}>{policyText.milliseconds(executionMs)}</span>}
          {...(executionProblem === undefined ? {} : { problem: executionProblem })}
          onChange={(executionTimeoutText) => onChange({ executionTimeoutText })}
        />
        <TextField
          label={policyText.ttl}
          size="sm"
          value={draft.ttlText}
          placeholder={writeDuration(policyDefaults.ttlMs)}
          trailing={<span className={styles.unit}>{policyText.milliseconds(ttlMs)}</span>}
          {...(ttlProblem === undefined ? {} : { problem: ttlProblem })}
          onChange={(ttlText) => onChange({ ttlText })}
        />
      </div>
      <Coverage
        connectionId={draft.connectionId}
        endpointId={draft.endpointId}
        executionMs={executionMs}
        ttlMs={ttlMs}
      />
      {executionMs > ttlMs ? <p className={styles.warning}>{policyText.ttlIsShorter}</p> : null}
      <div className={styles.switches}>
        <Switch
          label={policyText.lowPriority}
          hint={policyText.lowPriorityHint}
          isOn={draft.isLowPriority}
          onChange={(isLowPriority) => onChange({ isLowPriority })}
        />
        <Switch
          label={policyText.keepEverything}
          hint={policyText.keepEverythingHint}
          isOn={draft.isKeptWhole}
          onChange={(isKeptWhole) => onChange({ isKeptWhole })}
        />
      </div>
    </section>
  );
}

interface CoverageProps {
  connectionId: string;
  endpointId: string;
  executionMs: number;
  ttlMs: number;
}

function Coverage({ connectionId, endpointId, executionMs, ttlMs }: CoverageProps): ReactElement {
  const queueMs = useSession((state) => state.runTimes[endpointKey({ connectionId, endpointId })]?.delayP95Ms ?? null);
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
            {coverageText.queue(queueMs)}
          </span>
        )}
        <span>
          <i className={styles.executionKey} />
          {coverageText.execution(executionMs)}
        </span>
        <span>
          <i className={styles.slackKey} />
          {slackMs >= 0 ? coverageText.slack(slackMs) : coverageText.noSlack}
        </span>
      </div>
      <p className={styles.hint}>{coverageText.hint}</p>
    </div>
  );
}
