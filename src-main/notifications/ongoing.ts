import type { AlertRecord } from '../../src-preload/alert.ts';
import { asSentence } from '../../src-preload/messages/sentence.ts';
import type { TrackerState } from '../../src-preload/app.ts';
import type { Job } from '../../src-preload/job.ts';
import { aboutAlerts, type Ongoing } from '../../src-preload/notification.ts';
import { aboutRefusal, refusalsOf, refusalMessage, type ServiceRefusal, type RefusalNames } from './refusals.ts';
import { ongoingText } from '../messages/notifications.ts';

interface OngoingFacts {
  tracker: Pick<TrackerState, 'connections' | 'closures'>;
  firing: readonly AlertRecord[];
  /** Oldest first. */
  liveJobs: readonly Job[];
  names: RefusalNames;
}

/** How many jobs are listed. */
const maxJobs = 3;

/** Everything that continues, longest first: refusals, firing alerts, streams being read, unknown outcomes. Pure. */
export function ongoing({ tracker, firing, liveJobs, names }: OngoingFacts): Ongoing[] {
  const late = liveJobs.filter(({ pendingStream }) => pendingStream !== undefined);
  const notKnown = liveJobs.filter((job) => job.notKnown !== undefined);
  const unknown = liveJobs.filter(({ phase }) => phase === 'outcome-unknown');
  return [
    ...refusalsOf(tracker).map((refusal): Ongoing => {
      const { title, body } = refusalMessage(refusal, names);
      const endpointId = refusal.kind === 'key' ? null : refusal.endpointId;
      const { connectionId } = refusal;
      return {
        id: aboutRefusal(refusal),
        kind: 'refusal',
        title,
        text: body,
        sinceMs: sinceOf(refusal),
        jobs: [],
        connectionId,
        endpointId,
      };
    }),
    ...firing.map(({ id, kind, text, sinceMs, connectionId, endpointId }): Ongoing => ({
      id: aboutAlerts([id]),
      kind: 'alert',
      title: ongoingText.alertTitle(kind, names.endpointName({ connectionId, endpointId })),
      text: asSentence(text),
      sinceMs,
      jobs: [],
      connectionId,
      endpointId,
    })),
    ...ofJobs(late, 'stream', ongoingText.streams),
    ...ofJobs(notKnown, 'not-known', ongoingText.notKnown),
    ...ofJobs(unknown, 'unknown', ongoingText.unknownOutcomes),
  ].toSorted((one, other) => one.sinceMs - other.sinceMs);
}

function ofJobs(
  jobs: readonly Job[],
  kind: 'stream' | 'unknown' | 'not-known',
  word: (count: number) => { title: string; text: string },
): Ongoing[] {
  const [first] = jobs;
  if (first === undefined) return [];
  const { connectionId, endpointId } = first;
  return [
    {
      id: kind,
      kind,
      ...word(jobs.length),
      sinceMs: first.notKnown?.sinceMs ?? first.finishedSeenAtMs ?? first.createdAtMs,
      jobs: jobs.slice(0, maxJobs),
      connectionId,
      endpointId,
    },
  ];
}

function sinceOf(refusal: ServiceRefusal): number {
  return refusal.kind === 'key' ? refusal.sinceMs : Math.min(...refusal.closures.map(({ sinceMs }) => sinceMs));
}
