import { isLive, isTerminalStatus, statusLook, statusWord, type Job } from '../../src-preload/job.ts';
import { plainText } from './plain-text.ts';

/** `attention`: a key is refused something, or a submission got no answer: the user has to check. */
type TrayIcon = 'idle' | 'active' | 'failed' | 'attention' | 'offline' | 'paused';

/** All the tray shows, as a value: the shell only draws it. */
export interface TrayModel {
  icon: TrayIcon;
  isPaused: boolean;
  isUndisturbed: boolean;
  tooltip: string;
  headline: string;
  /** One line for each key and each endpoint with operations that are refused. */
  refusals: string[];
  jobs: { key: string; label: string }[];
}

export interface TrayFacts {
  live: readonly Job[];
  /** Newest first. */
  recentlyEnded: readonly Job[];
  failedUnseen: number;
  isPaused: boolean;
  isOffline: boolean;
  isUndisturbed: boolean;
  /** Submissions without an answer: the user decides about them. */
  outcomeUnknown: number;
  /** What services refuse at the moment, a line each, the weightiest first. */
  refusals: readonly string[];
}

const jobsShown = 5;
const refusalsShown = 3;
const labelChars = 60;

/** What the tray says of these facts: one icon by urgency, the counts, the live jobs first and then the last ended. */
export function trayModel(facts: TrayFacts): TrayModel {
  const count = (stage: Stage): number => facts.live.filter((job) => stageOf(job) === stage).length;
  const counts = [
    ...stages
      .map((stage) => [count(stage), stage] as const)
      .filter(([jobs]) => jobs > 0)
      .map(([jobs, stage]) => `${jobs} ${stage}`),
    ...(facts.outcomeUnknown > 0 ? [`${facts.outcomeUnknown} with an unknown outcome`] : []),
    ...(facts.failedUnseen > 0 ? [`${facts.failedUnseen} failed, not seen yet`] : []),
  ];
  const headline = counts.length === 0 ? 'Nothing active' : counts.join(', ');
  const shown = [...facts.live.filter(isLive), ...facts.recentlyEnded].slice(0, jobsShown);
  return {
    icon: iconFor(facts),
    isPaused: facts.isPaused,
    isUndisturbed: facts.isUndisturbed,
    tooltip: `Jobdeck: ${stateWords(facts)}${headline.toLowerCase()}`,
    headline,
    refusals: listRefusals(facts.refusals),
    jobs: shown.map((job) => ({ key: job.key, label: `${statusWord(job)}: ${cut(job.title)}` })),
  };
}

/**
 * What live jobs are counted as, in this order. `active`: the service has it, in a state that it did not say or a word
 * of its own.
 */
const stages = ['running', 'queued', 'active', 'being saved', 'with a stream to fetch', 'to send'] as const;
type Stage = (typeof stages)[number];

function stageOf(job: Job): Stage {
  if (job.phase !== 'active') return 'to send';
  if (job.pendingStream !== undefined) return 'with a stream to fetch';
  // It is over, and the rest of its stream is still read.
  if (job.status !== null && isTerminalStatus(job.status)) return 'being saved';
  const look = statusLook(job);
  return look === 'run' ? 'running' : look === 'queue' ? 'queued' : 'active';
}

/** What stands before the counts in the tooltip. */
function stateWords({ isPaused, isOffline, refusals }: TrayFacts): string {
  if (isPaused) return 'polling paused, ';
  if (isOffline) return 'offline, ';
  const [first, ...others] = refusals;
  if (first === undefined) return '';
  return (
    `${first.charAt(0).toLowerCase()}${cut(first.slice(1))}` +
    `${others.length === 0 ? '' : `, and ${others.length} more`}; `
  );
}

function listRefusals(refusals: readonly string[]): string[] {
  const shown = refusals.slice(0, refusalsShown).map(cut);
  return refusals.length > refusalsShown ? [...shown, `and ${refusals.length - refusalsShown} more`] : shown;
}

function iconFor(facts: TrayFacts): TrayIcon {
  if (facts.isPaused) return 'paused';
  if (facts.isOffline) return 'offline';
  if (facts.refusals.length > 0 || facts.outcomeUnknown > 0) return 'attention';
  if (facts.failedUnseen > 0) return 'failed';
  return facts.live.length > 0 ? 'active' : 'idle';
}

function cut(given: string): string {
  const text = plainText(given);
  return text.length <= labelChars ? text : `${text.slice(0, labelChars - 1)}…`;
}
