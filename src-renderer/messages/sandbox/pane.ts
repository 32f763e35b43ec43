import { formatCount } from '../../../src-preload/format.ts';
import { timeScaleBounds } from '../../../src-preload/sandbox-bounds.ts';
import type { SandboxWorkers } from '../../../src-preload/sandbox.ts';

/** The pane, and its head: whether the sandbox runs, and at which address. */
export const sandboxText = {
  settings: 'Settings of the sandbox',
  title: 'Built-in sandbox',
  isLocal: 'Local only; new key on each start.',
  baseUrl: 'Base URL',
  copyBaseUrl: 'Copy base URL',
  key: 'Key',
  hidden: 'hidden',
  copyEnvironment: 'Copy as environment variables',
  environmentCopied: 'Address and key copied; valid until the sandbox stops',
  running: 'Running',
  ended: 'Ended',
  stopped: 'Stopped',
  start: 'Start the sandbox',
  starting: 'Starting…',
  stop: 'Stop the sandbox',
  stopping: 'Stopping…',
};

/** The sandbox's endpoints with their workers. */
export const sandboxEndpointsText = {
  title: 'Endpoints',
  inQueue: 'In queue',
  /** `1 running, 2 idle`, as in the sidebar. */
  workers: ({ running, idle, starting }: SandboxWorkers): string => {
    const parts = [
      running > 0 && `${formatCount(running)} running`,
      idle > 0 && `${formatCount(idle)} idle`,
      starting > 0 && `${formatCount(starting)} starting`,
    ].filter((part) => part !== false);
    return parts.length === 0 ? 'no workers' : parts.join(', ');
  },
};

/** How fast the sandbox's time runs. */
export const speedText = {
  speed: 'Speed',
  otherLabel: 'Other speed',
  other: 'Other',
  bounds: `${timeScaleBounds.min} to ${formatCount(timeScaleBounds.max)}`,
};

const resultMs = 30 * 60_000;
const ttlMs = 24 * 3_600_000;

/** A duration: `30 s`, `0.18 s`, `2.4 min`, `24 h`. */
export function shortSpanText(ms: number): string {
  const short = (value: number): string =>
    String(value < 1 ? Math.round(value * 100) / 100 : Math.round(value * 10) / 10);
  if (ms < 120_000) return `${short(ms / 1_000)} s`;
  return ms < 7_200_000 ? `${short(ms / 60_000)} min` : `${short(ms / 3_600_000)} h`;
}

/** What a speed means for jobs, in a sentence or two (spec: Limits; 30 minutes for run, ttl 24 hours by default). */
export function speedSentence(timeScale: number): string {
  if (timeScale === 1) return `Real time: a result expires in the sandbox after ${shortSpanText(resultMs)}.`;
  return (
    `At ${timeScale}x a result expires in the sandbox after ${shortSpanText(resultMs / timeScale)}, and a ttl of ` +
    `24 h expires after ${shortSpanText(ttlMs / timeScale)}. Jobdeck’s own countdowns stay in real time.`
  );
}
