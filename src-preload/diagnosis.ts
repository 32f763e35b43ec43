import { formatCountdown } from './format.ts';

/** What can be wrong with an endpoint, as far as its health and our own jobs show. */
export type DiagnosisKind =
  /** Jobs wait and there is no worker at all. */
  | 'no-workers'
  /** Jobs wait while the first workers start. */
  | 'cold-start'
  /** Workers are throttled: the host has no room for them (ruling 27). */
  | 'throttled'
  /** Every worker is busy and no more are starting: max workers is probably reached. */
  | 'all-busy'
  /** Failures and retries rise while workers start and end without completing a job. */
  | 'crash-looping'
  /** At this pace jobs at the end of the queue are deleted by their ttl before they run. */
  | 'outlives-ttl'
  /** Jobs end close to, or by, their executionTimeout. */
  | 'near-timeout'
  /** Results that are not saved yet will soon expire on the service. */
  | 'results-expiring';

/** A row of the specification's table "Common conditions". */
export interface CommonCondition {
  condition: string;
  likelyCause: string;
}

/** One finding: what was seen, what it probably means, and what to try. */
export interface Diagnosis {
  kind: DiagnosisKind;
  /** `notice` needs no action, `warning` costs time, `critical` loses jobs or results. */
  severity: 'notice' | 'warning' | 'critical';
  /** One line with the figures: "12 jobs waiting, the oldest for 4:12, and no idle worker". */
  headline: string;
  /** What is known and what is inferred ("Most likely ..."), one or two sentences. */
  explanation: string;
  /** The specification's own text for it, or null. */
  condition: CommonCondition | null;
  /** The facts that the finding is based on, a few words each. */
  evidence: string[];
  /** What the user can do, most promising first. */
  tryNext: string[];
  /** Since when it has been so, as far as saved samples show. Null if that is not known. */
  sinceMs: number | null;
  /** The parts of a headline that says how long a job has waited, so that a window can keep counting. */
  waited?: WaitInHeadline;
}

/** A headline that says how long a job has waited: the text before that, since when (epoch milliseconds), the rest. */
interface WaitInHeadline {
  before: string;
  sinceMs: number;
  after: string;
}

/** A wait in a headline, in whole seconds, as the figures show it: `45 s`, `4:12`. */
export function waitText(waitedMs: number): string {
  return waitedMs < 60_000 ? `${Math.max(0, Math.floor(waitedMs / 1_000))} s` : formatCountdown(waitedMs);
}

/** The headline of a finding as of now: if it says how long a job has waited, up to now. */
export function headlineAt({ headline, waited }: Pick<Diagnosis, 'headline' | 'waited'>, nowMs: number): string {
  return waited === undefined ? headline : `${waited.before}${waitText(nowMs - waited.sinceMs)}${waited.after}`;
}

/** The diagnosis of an endpoint, worst finding first. Empty if nothing is wrong. */
export interface EndpointDiagnosis {
  connectionId: string;
  endpointId: string;
  /** The time of the newest reading it is based on. */
  atMs: number;
  findings: Diagnosis[];
  /** Set while the user has muted it. */
  mutedUntilMs: number | null;
}
