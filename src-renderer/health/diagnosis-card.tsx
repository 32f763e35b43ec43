import { Check, ChevronDown, ChevronRight, CircleCheck, Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { hourMs } from '../../src-preload/durations.ts';
import { headlineAt, type Diagnosis, type EndpointDiagnosis } from '../../src-preload/diagnosis.ts';
import { callOrReport } from '../call-or-report.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { Menu } from '../design/menu/menu.tsx';
import { diagnosisText, severityNames } from '../messages/health/endpoint.tsx';
import { mute } from './health-store.ts';
import type { OurJob } from './our-jobs.ts';
import styles from './diagnosis-card.module.css';
import { useCertainUntil } from '../data/certainty.ts';
import { engineNow } from '../data/engine-time.ts';
import { useNow } from '../data/use-now.ts';

export interface DiagnosisCardProps {
  endpointId: string;
  /** Null before the first diagnosis. Undefined while it is being read: its line has its room already. */
  diagnosis: EndpointDiagnosis | null | undefined;
  /** How many alerts fire here. While one does, the endpoint is not shown as healthy. */
  firingAlerts: number;
  ourJobs: readonly OurJob[];
  nowMs: number;
  /** Left out in a window without a list: jobs then open in windows of their own. */
  onShowJobs: ((endpointId: string) => void) | undefined;
}

const muteMs = hourMs;
/** A finding older than this is shown with its time. */
const oldFindingMs = 60_000;

/** What is wrong with the endpoint: the worst finding in full, others folded, or a line that no issues were found. */
export function DiagnosisCard({ endpointId, diagnosis, firingAlerts, ourJobs, nowMs, onShowJobs }: DiagnosisCardProps) {
  const [openKind, setOpenKind] = useState<Diagnosis['kind'] | null>(null);
  if (diagnosis === undefined) return <div className={classes(styles.calm, styles.unread)} />;
  if (diagnosis === null) return null;
  const { findings, mutedUntilMs } = diagnosis;
  if (mutedUntilMs !== null && mutedUntilMs > nowMs) {
    return (
      <div className={styles.calm} role="status">
        <Info />
        <span className="grow">{diagnosisText.mutedUntil(mutedUntilMs, nowMs)}</span>
        <Button size="sm" variant="ghost" onClick={() => void mute(endpointId, null)}>
          {diagnosisText.unmute}
        </Button>
      </div>
    );
  }
  if (findings.length === 0) {
    // An old diagnosis says nothing about now, so it is not green.
    const isWell = firingAlerts === 0 && nowMs - diagnosis.atMs <= oldFindingMs;
    return (
      <div className={styles.calm}>
        {isWell ? <CircleCheck /> : <Info />}
        {/* The time changes with each reading, which is nothing to announce. */}
        <span className="grow" role="status">
          {diagnosisText.nothingFound(firingAlerts)}
        </span>
        <span className={styles.as}>{diagnosisText.judgedAt(diagnosis.atMs)}</span>
      </div>
    );
  }
  const open = findings.find((finding) => finding.kind === openKind) ?? findings[0];
  return (
    <section className={styles.findings} aria-label={diagnosisText.diagnosis}>
      {findings.map((finding) =>
        finding === open ? (
          <Finding
            key={finding.kind}
            finding={finding}
            endpointId={endpointId}
            ourJobs={ourJobs}
            judgedAtMs={diagnosis.atMs}
            nowMs={nowMs}
            onShowJobs={onShowJobs}
          />
        ) : (
          <button
            key={finding.kind}
            type="button"
            className={classes(styles.folded, styles[finding.severity])}
            aria-expanded={false}
            onClick={() => setOpenKind(finding.kind)}
          >
            <SeverityIcon of={finding} />
            <span className="grow trunc">
              <Headline finding={finding} ourJobs={ourJobs} />
            </span>
            <ChevronRight className={styles.chevron} />
          </button>
        ),
      )}
    </section>
  );
}

/** A triangle, an octagon or a plain note: the shape shows the severity, not the colour alone. */
export function SeverityIcon({ of }: { of: Pick<Diagnosis, 'severity'> }) {
  const name = severityNames[of.severity];
  switch (of.severity) {
    case 'critical':
      return <OctagonAlert aria-label={name} />;
    case 'warning':
      return <TriangleAlert aria-label={name} />;
    case 'notice':
      return <Info aria-label={name} />;
  }
}

function Finding({
  finding,
  endpointId,
  ourJobs,
  judgedAtMs,
  nowMs,
  onShowJobs,
}: { finding: Diagnosis; judgedAtMs: number } & Pick<
  DiagnosisCardProps,
  'endpointId' | 'ourJobs' | 'nowMs' | 'onShowJobs'
>) {
  const [areStepsOpen, setStepsOpen] = useState(false);
  const { condition, sinceMs, tryNext } = finding;
  return (
    <div className={classes(styles.finding, styles[finding.severity])}>
      <SeverityIcon of={finding} />
      <div className={styles.content}>
        <h2 className={styles.headline}>
          <Headline finding={finding} ourJobs={ourJobs} />
        </h2>
        <p className={styles.text}>
          {finding.explanation}
          {sinceMs !== null && <span className="t3">{` ${diagnosisText.since(sinceMs, nowMs)}`}</span>}
          {nowMs - judgedAtMs > oldFindingMs && (
            <span className="t3">{` ${diagnosisText.asOf(judgedAtMs, nowMs)}`}</span>
          )}
        </p>
        {finding.evidence.length > 0 && (
          <ul className={styles.evidence} aria-label={diagnosisText.evidence}>
            {finding.evidence.map((fact) => (
              <li key={fact}>
                <Check aria-hidden="true" />
                {fact}
              </li>
            ))}
          </ul>
        )}
        {(condition !== null || tryNext.length > 0) && (
          <div className={styles.more}>
            {condition !== null && (
              <span className={styles.condition}>{diagnosisText.commonCause(condition.likelyCause)}</span>
            )}
            {tryNext.length > 0 && (
              <button
                type="button"
                className={styles.steps}
                aria-expanded={areStepsOpen}
                onClick={() => setStepsOpen(!areStepsOpen)}
              >
                {areStepsOpen ? <ChevronDown aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
                {diagnosisText.tryNext}
              </button>
            )}
          </div>
        )}
        {areStepsOpen && (
          <ol className={styles.try} aria-label={diagnosisText.tryNext}>
            {tryNext.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        )}
      </div>
      <div className={styles.actions}>
        <ShowJobs endpointId={endpointId} ourJobs={ourJobs} onShowJobs={onShowJobs} />
        <Button size="sm" variant="ghost" onClick={() => void mute(endpointId, engineNow() + muteMs)}>
          {diagnosisText.mute}
        </Button>
      </div>
    </div>
  );
}

interface HeadlineProps {
  finding: Diagnosis;
  ourJobs: readonly OurJob[];
}

/** The headline, whose wait counts on with the figure of the oldest wait, and stands still with it. */
function Headline({ finding, ourJobs }: HeadlineProps) {
  return finding.waited === undefined ? finding.headline : <TickingHeadline finding={finding} ourJobs={ourJobs} />;
}

function TickingHeadline({ finding, ourJobs }: HeadlineProps) {
  const job = ourJobs.find(({ sinceMs, isWaiting }) => isWaiting && sinceMs === finding.waited?.sinceMs);
  const asOfMs = useCertainUntil(job?.knownMs ?? null, job?.connectionId ?? null);
  const nowMs = useNow(1_000);
  return headlineAt(finding, asOfMs ?? nowMs);
}

const maxListed = 12;

function ShowJobs({
  endpointId,
  ourJobs,
  onShowJobs,
}: Pick<DiagnosisCardProps, 'endpointId' | 'ourJobs' | 'onShowJobs'>) {
  if (ourJobs.length === 0) return null;
  const label = diagnosisText.showJobs(ourJobs.length);
  if (onShowJobs !== undefined)
    return (
      <Button size="sm" onClick={() => onShowJobs(endpointId)}>
        {label}
      </Button>
    );
  const oldest = [...ourJobs].sort((one, other) => one.sinceMs - other.sinceMs).slice(0, maxListed);
  return (
    <Menu
      align="end"
      minWidth={260}
      trigger={<Button size="sm">{label}</Button>}
      items={oldest.map((job) => ({
        kind: 'item',
        label: job.title,
        note: job.isWaiting ? diagnosisText.waits : diagnosisText.runs,
        onSelect: () => callOrReport('window:openJob', { key: job.key }),
      }))}
    />
  );
}
