import { isLive, isTerminalStatus, statusLook, statusWord } from '../../src-preload/job.ts';
import type { Job } from '../../src-preload/job.ts';

export type TrayIcon = 'idle' | 'active' | 'failed' | 'offline' | 'paused';

/** All the tray shows, as a value: the shell only draws it. */
export interface TrayModel {
  icon: TrayIcon;
  tooltip: string;
  headline: string;
  jobs: { key: string; label: string }[];
}

export interface TrayFacts {
  live: readonly Job[];
  /** Newest first. */
  recentlyEnded: readonly Job[];
  failedUnseen: number;
  isPaused: boolean;
  isOffline: boolean;
}

const jobsShown = 5;
const labelChars = 60;

/** What the tray says of these facts: one icon by urgency, the counts, the live jobs first and then the last ended. */
export function trayModel(facts: TrayFacts): TrayModel {
  const count = (stage: Stage): number => facts.live.filter((job) => stageOf(job) === stage).length;
  const counts = [
    ...stages.map((stage) => [count(stage), stage] as const).filter(([jobs]) => jobs > 0).map(([jobs, stage]) => `${jobs} ${stage}`),
    ...(facts.failedUnseen > 0 ? [`${facts.failedUnseen} failed, not yet seen`] : []),
  ];
  const headline = counts.length === 0 ? 'Nothing active' : counts.join(', ');
  const shown = [...facts.live.filter(isLive), ...facts.recentlyEnded].slice(0, jobsShown);
  return {
    icon: iconFor(facts),
    tooltip: `Jobdeck: ${facts.isPaused ? 'polling paused, ' : facts.isOffline ? 'offline, ' : ''}${headline.toLowerCase()}`,
    headline,
    jobs: shown.map((job) => ({ key: job.key, label: `${statusWord(job)}: ${cut(job.title)}` })),
  };
}

/** What live jobs are counted as, in this order. `active`: the service has it, in a state that it did not tell or a word of its own. */
const stages = ['running', 'queued', 'active', 'being saved', 'to send'] as const;
type Stage = (typeof stages)[number];

function stageOf(job: Job): Stage {
  if (job.phase !== 'active') return 'to send';
  // It is over, and the rest of its stream is still read.
  if (job.status !== null && isTerminalStatus(job.status)) return 'being saved';
  const look = statusLook(job);
  return look === 'run' ? 'running' : look === 'queue' ? 'queued' : 'active';
}

function iconFor(facts: TrayFacts): TrayIcon {
  if (facts.isPaused) return 'paused';
  if (facts.isOffline) return 'offline';
  if (facts.failedUnseen > 0) return 'failed';
  return facts.live.length > 0 ? 'active' : 'idle';
}

function cut(text: string): string {
  return text.length <= labelChars ? text : `${text.slice(0, labelChars - 1)}…`;
}
