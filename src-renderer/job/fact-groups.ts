import type { Fact } from '../design/fact-list.tsx';
import { jsonText } from '../../src-preload/deep-json.ts';
import { isExternal, type Attempt, type Job, type JobDetail } from '../../src-preload/job.ts';
import { policyDefaults } from '../../src-preload/job-bounds.ts';
import { formatClock, formatCount } from '../../src-preload/format.ts';
import { factGroupTitles, factText } from '../messages/job/facts.ts';
import { formatLimit } from '../messages/job/formats.ts';
import type { StreamLog } from '../stream/stream-log.ts';

export interface FactGroup {
  /** Its title is in `factGroupTitles`. */
  id: 'reported' | 'tokens' | 'worker' | 'submission' | 'seen';
  facts: Fact[];
}

/** How much of a value is shown beside its name. */
const shownChars = 2_000;
const shown = (text: string): string => (text.length > shownChars ? `${text.slice(0, shownChars)}…` : text);

/** A field of a reply under its own name. */
const serviceField = (name: string, value: unknown): Fact[] =>
  value === null || value === undefined
    ? []
    : [{ name, value: shown(typeof value === 'string' ? value : jsonText(value)), isRaw: true }];
/** What Jobdeck knows itself, under a label. */
const labelled = (name: string, value: string | null, note?: string): Fact[] =>
  value === null ? [] : [{ name, value, isRaw: false, ...(note !== undefined && { note }) }];

/** Fields of a reply that are shown elsewhere in the pane. */
const shownElsewhere: ReadonlySet<string> = new Set([
  'id',
  'status',
  'delayTime',
  'executionTime',
  'workerId',
  'output',
  'stream',
  'error',
]);

/**
 * Everything known of an attempt apart from its output, in groups. Groups without facts are left out (design language:
 * Numbers).
 */
export function factGroups(
  detail: JobDetail,
  attempt: Attempt | null,
  log: Pick<StreamLog, 'outputTokens' | 'inputTokens' | 'metrics' | 'chunkCount'>,
): FactGroup[] {
  const { job } = detail;
  const isCurrent = attempt === null || attempt.number === job.attempt;
  // While a stream is running, what is read of it is behind what is saved. Every place shows the saved ones.
  const chunks = Math.max(log.chunkCount, isCurrent ? job.chunkCount : attempt.chunkCount);
  const groups: FactGroup[] = [
    {
      id: 'reported',
      facts: [
        ...serviceField('status', isCurrent ? job.status : attempt.status),
        ...serviceField('delayTime', isCurrent ? job.delayTimeMs : attempt.delayTimeMs),
        ...serviceField('executionTime', isCurrent ? job.executionTimeMs : attempt.executionTimeMs),
        ...serviceField('workerId', attempt?.workerId),
        ...(isCurrent
          ? Object.entries(detail.extraFields)
              .filter(([name]) => !shownElsewhere.has(name))
              .flatMap(([name, value]) => serviceField(name, value))
          : []),
      ],
    },
    {
      id: 'tokens',
      facts: [
        ...labelled(factText.inputTokens, log.inputTokens === null ? null : formatCount(log.inputTokens)),
        ...labelled(factText.outputTokens, log.outputTokens === null ? null : formatCount(log.outputTokens)),
        ...labelled(factText.chunks, log.chunkCount === 0 ? null : formatCount(chunks)),
        ...labelled(
          factText.meanGeneration,
          log.metrics.series.avg_gen_throughput === undefined
            ? null
            : factText.tokensPerSecond(log.metrics.series.avg_gen_throughput.mean),
        ),
      ],
    },
    {
      id: 'worker',
      facts:
        log.metrics.latest === null
          ? []
          : Object.entries(log.metrics.latest).flatMap(([name, value]) => serviceField(name, value)),
    },
    { id: 'submission', facts: submissionFacts(detail) },
    { id: 'seen', facts: seenFacts(job) },
  ];
  return groups.filter((group) => group.facts.length > 0);
}

/** Facts as they are copied: a line each, under the title of their group. */
export function textOfFacts(groups: readonly FactGroup[]): string {
  return groups
    .map(({ id, facts }) => [factGroupTitles[id], ...facts.map(({ name, value }) => `${name}: ${value}`)].join('\n'))
    .join('\n\n');
}

function submissionFacts({ job, webhook, waitMs, s3ProfileId }: JobDetail): Fact[] {
  // Only the sender of an external job knows these.
  if (isExternal(job))
    return [
      ...labelled(factText.submitted, factText.external),
      ...labelled(factText.checkedAt, `${job.baseUrl}/v2/${job.endpointId}`),
    ];
  const { executionTimeout, ttl, lowPriority } = job.policy;
  return [
    ...labelled(factText.operation, job.operation),
    ...labelled('wait', waitMs === null ? null : formatLimit(waitMs)),
    ...labelled(
      'executionTimeout',
      formatLimit(executionTimeout ?? policyDefaults.executionTimeoutMs),
      executionTimeout === undefined ? factText.default : undefined,
    ),
    ...labelled('ttl', formatLimit(ttl ?? policyDefaults.ttlMs), ttl === undefined ? factText.default : undefined),
    ...labelled('lowPriority', lowPriority === true ? 'true' : null),
    ...labelled(factText.webhook, webhook),
    ...labelled('s3Config', s3ProfileId === null ? null : factText.s3Sent),
    ...labelled(factText.sentTo, `${job.baseUrl}/v2/${job.endpointId}`),
  ];
}

function seenFacts(job: Job): Fact[] {
  return [
    ...labelled(isExternal(job) ? factText.trackedSince : factText.submitted, formatClock(job.createdAtMs)),
    ...labelled(factText.accepted, job.acceptedAtMs === null || isExternal(job) ? null : formatClock(job.acceptedAtMs)),
    ...labelled(factText.firstSeenRunning, job.startedSeenAtMs === null ? null : formatClock(job.startedSeenAtMs)),
    ...labelled(factText.firstSeenFinished, job.finishedSeenAtMs === null ? null : formatClock(job.finishedSeenAtMs)),
    ...labelled(factText.lastChecked, job.statusReadAtMs === null ? null : formatClock(job.statusReadAtMs)),
    ...labelled(factText.requests, job.requestCount === 0 ? '–' : formatCount(job.requestCount)),
  ];
}
