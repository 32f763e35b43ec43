/** What can be wrong with an endpoint, as far as health and our own jobs show. */
export type DiagnosisKind =
  /** Jobs wait and there is no worker at all. */
  | 'no-workers'
  /** Jobs wait while the first workers start. */
  | 'cold-start'
  /** Workers are throttled: the host has no room for them (ruling 27). */
  | 'throttled'
  /** Every worker is busy and no more come: most likely max workers is reached. */
  | 'all-busy'
  /** Failures and retries rise while workers come and go without finishing anything. */
  | 'crash-looping'
  /** At this pace jobs at the end of the queue are deleted by their ttl before they run. */
  | 'outlives-ttl'
  /** Jobs end close to, or by, their executionTimeout. */
  | 'near-timeout'
  /** Results here are not saved yet and leave the service soon. */
  | 'results-expiring';

/** A row of the specification's table "Common conditions". */
export interface CommonCondition {
  condition: string;
  likelyCause: string;
}

/** One thing that is wrong: what was seen, what it most likely means, and what to try. */
export interface Diagnosis {
  kind: DiagnosisKind;
  /** `notice` passes by itself, `warning` costs time, `critical` loses jobs or results. */
  severity: 'notice' | 'warning' | 'critical';
  /** One line with the figures: "12 jobs waiting, the oldest for 4:12, and no idle worker". */
  headline: string;
  /** What is known and what is inferred ("Most likely ..."), one or two sentences. */
  explanation: string;
  /** The specification's own words for it, where it has any. */
  condition: CommonCondition | null;
  /** Facts the finding rests on, a few words each. */
  evidence: string[];
  /** What the user can do, most promising first. */
  tryNext: string[];
  /** Since when it has been so, as far as kept samples show; null when that is not known. */
  sinceMs: number | null;
}

/** An endpoint as judged, worst finding first; none when nothing is wrong. */
export interface EndpointDiagnosis {
  connectionId: string;
  endpointId: string;
  /** Of the newest reading it was judged by. */
  atMs: number;
  findings: Diagnosis[];
  /** Set while the user does not want to be shown this. */
  mutedUntilMs: number | null;
}
