import type { AlertRecord } from '../../src-preload/alert.ts';
import { alertNames } from '../../src-preload/messages/alert.ts';
import type { TrackerState } from '../../src-preload/app.ts';
import { formatCountOf } from '../../src-preload/format.ts';
import type { Job } from '../../src-preload/job.ts';
import { aboutAlerts, type Ongoing } from '../../src-preload/notification.ts';
import { aboutRefusal, refusalsOf, refusalMessage, type Refusal, type RefusalNames } from './refusals.ts';

interface OngoingFacts {
  tracker: Pick<TrackerState, 'connections' | 'closures'>;
  firing: readonly AlertRecord[];
  /** Oldest first. */
  liveJobs: readonly Job[];
  names: RefusalNames;
  /** Writes a local time. */
  clock: (atMs: number) => string;
}

/** How many jobs are listed. */
const mostJobs = 3;

/** Everything that continues, longest first: refusals, firing alerts, streams being read, unknown outcomes. Pure. */
export function ongoing({ tracker, firing, liveJobs, names, clock }: OngoingFacts): Ongoing[] {
  const late = liveJobs.filter(({ pendingStream }) => pendingStream !== undefined);
  const notKnown = liveJobs.filter((job) => job.notKnown !== undefined);
  const unknown = liveJobs.filter(({ phase }) => phase === 'outcome-unknown');
  return [
    ...refusalsOf(tracker).map((refusal): Ongoing => {
      const { title, body } = refusalMessage(refusal, names, clock);
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
      title: `${alertNames[kind]} on ${names.endpointLabel({ connectionId, endpointId })}`,
      text: `${text}.`,
      sinceMs,
      jobs: [],
      connectionId,
      endpointId,
    })),
    ...ofJobs(late, 'stream', (count) => ({
      title: `${formatCountOf(count, 'job')} completed, the stream is still being fetched`,
      text: 'The result is saved. Jobdeck keeps reading the rest of the stream.',
    })),
    ...ofJobs(notKnown, 'not-known', (count) => ({
      title: `${formatCountOf(count, 'job')} not known to the service right now`,
      text: 'Jobdeck keeps checking. A job counts as gone only after several such answers.',
    })),
    ...ofJobs(unknown, 'unknown', (count) => ({
      title: `${formatCountOf(count, 'submission')} with an unknown outcome`,
      text: 'The service did not answer. Jobdeck does not send them again automatically.',
    })),
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
      jobs: jobs.slice(0, mostJobs),
      connectionId,
      endpointId,
    },
  ];
}

function sinceOf(refusal: Refusal): number {
  return refusal.kind === 'key' ? refusal.sinceMs : Math.min(...refusal.closures.map(({ sinceMs }) => sinceMs));
}
