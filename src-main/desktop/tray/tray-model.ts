import type { JobCounts } from '../../../src-preload/history.ts';
import { isExternal, isLive, statusWord, type Job } from '../../../src-preload/job.ts';
import type { Settings } from '../../../src-preload/settings.ts';
import { activeText } from '../../../src-preload/messages/active-jobs.ts';
import { plainText } from '../../../src-preload/plain-text.ts';
import { trayHeadlineText, trayText, trayTooltip, type TrayTrouble } from '../../messages/desktop/tray.ts';

/** `attention`: a key is refused, or a submission got no answer, so the user has to check. */
type TrayIcon = 'idle' | 'active' | 'failed' | 'attention' | 'offline' | 'paused';

/** Everything that the tray shows, as a value. `createTray` only draws it. */
export interface TrayModel {
  icon: TrayIcon;
  isPaused: boolean;
  isUndisturbed: boolean;
  tooltip: string;
  headline: string;
  /** One line for each key and each endpoint with refused operations. */
  refusals: string[];
  jobs: { key: string; label: string }[];
  /** The newest job whose input is saved, to be submitted again, or null. */
  last: { key: string; label: string } | null;
  /** How many jobs of all connections failed and were not seen. */
  failedUnseen: number;
  /** Some of them are not in the current connection, so its list does not have them all. */
  areFailuresInOtherConnections: boolean;
  connections: { id: string; name: string; isCurrent: boolean }[];
  /** The global shortcuts while they are enabled, or null. */
  shortcuts: { open: string; newJob: string } | null;
}

export interface TrayFacts {
  /** The counts of all jobs, as the windows have them. */
  counts: JobCounts;
  /** The connections in which jobs failed and were not seen, with how many. */
  failures: readonly { id: string; name: string; count: number }[];
  /** Newest first. */
  live: readonly Job[];
  /** The newest jobs in any state, newest first. */
  recent: readonly Job[];
  isPaused: boolean;
  isOffline: boolean;
  isUndisturbed: boolean;
  /** Submissions without an answer. The user decides about them. */
  outcomeUnknown: number;
  /** What services refuse at the moment, one line each, the most important first. */
  refusals: readonly string[];
  connections: readonly { id: string; name: string }[];
  settings: Pick<Settings, 'currentConnectionId' | 'globalShortcuts'>;
}

const jobsShown = 5;
const refusalsShown = 3;
const labelChars = 60;

/** The tray for these facts: one icon by urgency, the counts, live jobs first and then the last ended ones. */
export function trayModel(facts: TrayFacts): TrayModel {
  const currentId = facts.settings.currentConnectionId ?? facts.connections[0]?.id;
  const areFailuresInOtherConnections = facts.failures.some(({ id }) => id !== currentId);
  const headline = headlineOf(facts, areFailuresInOtherConnections);
  const ended = facts.recent.filter((job) => !isLive(job));
  const shown = [...facts.live, ...ended].slice(0, jobsShown);
  const last = facts.recent.find((job) => !isExternal(job));
  return {
    icon: iconFor(facts),
    isPaused: facts.isPaused,
    isUndisturbed: facts.isUndisturbed,
    tooltip: trayTooltip(headline, troubleOf(facts)),
    headline,
    refusals: listRefusals(facts.refusals),
    jobs: shown.map((job) => ({ key: job.key, label: trayText.job(statusWord(job), cut(job.title)) })),
    last: last === undefined ? null : { key: last.key, label: trayText.resubmitLast(cut(last.title)) },
    failedUnseen: facts.counts.failedUnseen,
    areFailuresInOtherConnections,
    connections: facts.connections.map(({ id, name }) => ({ id, name: cut(name), isCurrent: id === currentId })),
    shortcuts: facts.settings.globalShortcuts.isOn ? facts.settings.globalShortcuts : null,
  };
}

/** The counts that are not zero. */
function headlineOf({ counts, outcomeUnknown, failures }: TrayFacts, areFailuresInOtherConnections: boolean): string {
  const named = areFailuresInOtherConnections ? failures.map(({ name, count }) => ({ name: cut(name), count })) : [];
  const parts = [
    activeText(counts),
    ...(outcomeUnknown > 0 ? [trayHeadlineText.outcomeUnknown(outcomeUnknown)] : []),
    ...(counts.failedUnseen > 0 ? [trayHeadlineText.failedUnseen(counts.failedUnseen, named)] : []),
  ].filter((part) => part !== '');
  return parts.length === 0 ? trayHeadlineText.nothingActive : parts.join(', ');
}

function troubleOf({ isPaused, isOffline, refusals }: TrayFacts): TrayTrouble | null {
  if (isPaused) return { kind: 'paused' };
  if (isOffline) return { kind: 'offline' };
  const [first, ...others] = refusals;
  return first === undefined ? null : { kind: 'refused', first: cut(first), others: others.length };
}

function listRefusals(refusals: readonly string[]): string[] {
  const shown = refusals.slice(0, refusalsShown).map(cut);
  return refusals.length > refusalsShown ? [...shown, trayText.more(refusals.length - refusalsShown)] : shown;
}

function iconFor(facts: TrayFacts): TrayIcon {
  if (facts.isPaused) return 'paused';
  if (facts.isOffline) return 'offline';
  if (facts.refusals.length > 0 || facts.outcomeUnknown > 0) return 'attention';
  if (facts.counts.failedUnseen > 0) return 'failed';
  return facts.counts.active > 0 ? 'active' : 'idle';
}

function cut(given: string): string {
  const text = plainText(given);
  return text.length <= labelChars ? text : `${text.slice(0, labelChars - 1)}…`;
}
