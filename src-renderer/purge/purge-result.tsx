import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import { useState, type Ref } from 'react';
import type { Failure } from '../../src-preload/failure.ts';
import type { Purge } from '../../src-preload/purge.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { Callout } from '../design/callout.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { commonText } from '../messages/common.ts';
import { failureLines, purgedJobsText, purgeReport, purgeText } from '../messages/purge.tsx';
import { JobNames } from './job-names.tsx';
import styles from './purge-card.module.css';

interface PurgeResultProps {
  ref: Ref<HTMLDivElement>;
  purge: Purge;
  onShowJob: (key: string) => void;
  onDismiss: () => void;
}

/** The result of a purge, the names of our purged jobs, and a button to submit their inputs again. */
export function PurgeResult({ ref, purge, onShowJob, onDismiss }: PurgeResultProps) {
  const report = purgeReport(purge);
  return (
    <div ref={ref} className={styles.result} tabIndex={-1}>
      <Callout
        tone={report.tone}
        icon={report.tone === 'neutral' ? <CircleCheck size={14} /> : <TriangleAlert size={14} />}
        title={
          <span className={styles.head}>
            <span className="grow">{report.title}</span>
            <IconButton label={commonText.dismiss} size="sm" hasSmallGlyph icon={<X />} onClick={onDismiss} />
          </span>
        }
      >
        <div className={styles.lines}>
          {report.lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
        <JobNames jobs={purge.purgedJobs} total={purge.purged} label={purgedJobsText.label} onShowJob={onShowJob} />
        <SubmitAgain purge={purge} />
      </Callout>
    </div>
  );
}

/** Why a purge was refused. Nothing was removed. */
export function PurgeRefusal({ failure }: { failure: Failure }) {
  return (
    <div className={styles.result}>
      <Callout tone="error" icon={<TriangleAlert size={14} />} title={purgeText.nothingPurged}>
        <div className={styles.lines}>
          {failureLines(failure).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      </Callout>
    </div>
  );
}

function SubmitAgain({ purge }: { purge: Purge }) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const left = purge.purged - purge.submittedAgain;
  const submit = async (as: 'jobs' | 'batch'): Promise<void> => {
    setBusy(true);
    const result = await call('purge:submitAgain', { id: purge.id, as });
    setBusy(false);
    const failure = result.ok ? result.value.failure : result.failure;
    setProblem(failure === null ? null : failureLines(failure).join(' '));
  };
  if (left <= 0 && problem === null && purge.submittedAgain === 0) return null;
  return (
    <div className={styles.again}>
      {left > 0 && (
        <Button
          size="sm"
          disabledReason={isBusy ? purgedJobsText.submitting : undefined}
          onClick={() => void submit('jobs')}
        >
          {purgedJobsText.submitAgain(left)}
        </Button>
      )}
      {left > 1 && (
        <Button
          size="sm"
          disabledReason={isBusy ? purgedJobsText.submitting : undefined}
          onClick={() => void submit('batch')}
        >
          {purgedJobsText.asBatch}
        </Button>
      )}
      {purge.submittedAgain > 0 && (
        <span className={styles.cap}>{purgedJobsText.submittedAgain(purge.submittedAgain)}</span>
      )}
      {problem !== null && (
        <p className={styles.warn} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
