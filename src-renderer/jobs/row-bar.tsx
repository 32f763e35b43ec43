import type { RunTimes } from '../../src-preload/history.ts';
import type { Job, StatusKind } from '../../src-preload/job.ts';
import { ExecutionBar } from '../design/execution-bar.tsx';
import { useNow } from '../data/use-now.ts';
import { barFraction, tickOf } from './job-figures.ts';

interface RowBarProps {
  job: Job;
  runTimes: RunTimes | undefined;
  kind: StatusKind;
  /** Until when its length is certain. Null: it grows. */
  asOfMs: number | null;
}

/** How long a job ran, or has run, compared with its endpoint's usual time. It grows while that is certain. */
export function RowBar({ job, runTimes, kind, asOfMs }: RowBarProps) {
  return (kind === 'run' || kind === 'queue') && asOfMs === null ? (
    <LiveBar job={job} runTimes={runTimes} kind={kind} />
  ) : (
    <StillBar job={job} runTimes={runTimes} kind={kind} nowMs={asOfMs ?? 0} />
  );
}

function LiveBar({ job, runTimes, kind }: { job: Job; runTimes: RunTimes | undefined; kind: StatusKind }) {
  return <StillBar job={job} runTimes={runTimes} kind={kind} nowMs={useNow(1_000)} />;
}

interface StillBarProps {
  job: Job;
  runTimes: RunTimes | undefined;
  kind: StatusKind;
  nowMs: number;
}

function StillBar({ job, runTimes, kind, nowMs }: StillBarProps) {
  const fraction = barFraction(job, runTimes, nowMs);
  return fraction === null ? null : (
    <ExecutionBar kind={kind} fraction={fraction} p95Fraction={tickOf(kind, runTimes)} />
  );
}
