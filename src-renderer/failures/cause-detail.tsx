import { useMemo, useState, type ComponentProps } from 'react';
import type { Failure } from '../../src-preload/failure.ts';
import { useWhenReady } from '../design/use-pause.ts';
import { BellOff } from 'lucide-react';
import type { CommonFact, FailureCause, FailureDetail } from '../../src-preload/failure-cause.ts';
import { statusKind, type Job } from '../../src-preload/job.ts';
import { useCall } from '../data/calls.ts';
import { findEndpoint, useCurrentConnection, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { endpointName } from '../../src-preload/connection.ts';
import { classes } from '../design/class-names.ts';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { ExecutionBar } from '../design/execution-bar.tsx';
import { formatAge, formatMeasured } from '../../src-preload/format.ts';
import { SkeletonRows } from '../design/skeleton.tsx';
import { StatusGlyph, StatusPill } from '../design/status-glyph.tsx';
import { goToJob } from '../navigation/go.ts';
import { causeText, inCommonText, traitText, trendText } from '../messages/failures/cause.tsx';
import { frameText, signNames, muteText } from '../messages/failures/list.ts';
import { CauseActions, type CauseKey } from './cause-actions.tsx';
import { firstSentence, SeenMessage, VariedText } from './cause-message.tsx';
import { separates, signOf } from './cause-signs.ts';
import { DifferenceNote } from './difference-note.tsx';
import { TrendChart, type TrendMark } from './trend.tsx';
import causeStyles from './cause.module.css';
import styles from './cause-detail.module.css';

/** What is known of a cause: `data` when its jobs have been read, or why they could not be. */
interface ReadCause {
  cause: FailureCause;
  data: FailureDetail | undefined;
  error: Failure | null;
}

function isOtherCause(shown: ReadCause, next: ReadCause): boolean {
  return shown.cause.id !== next.cause.id;
}

/**
 * A cause: its trend, what its jobs have in common, the jobs, and the actions on all of them. Until its jobs are read,
 * the cause before it stays.
 */
export function CauseDetail({ cause, sinceMs }: { cause: FailureCause; sinceMs: number }) {
  const { data, error } = useCall('failure:cause', { id: cause.id });
  const asked = useMemo(() => ({ cause, data, error }), [cause, data, error]);
  const shown = useWhenReady(asked, data !== undefined || error !== null, isOtherCause);
  // It is forgotten when another cause is chosen.
  const [early, setEarly] = useState<{ causeId: number; key: CauseKey } | null>(null);
  return (
    <Cause
      key={shown.cause.id}
      {...shown}
      isChosen={shown.cause.id === cause.id}
      earlyKey={early?.causeId === cause.id ? early.key : null}
      onEarlyKey={(key) => setEarly(key === null ? null : { causeId: cause.id, key })}
      sinceMs={sinceMs}
    />
  );
}

type CauseProps = ReadCause & { sinceMs: number } & Pick<
    ComponentProps<typeof CauseActions>,
    'isChosen' | 'earlyKey' | 'onEarlyKey'
  >;

function Cause({ cause, data, error, sinceMs, ...keys }: CauseProps) {
  const connections = useSession((state) => state.connections);
  const nowMs = useNow(60_000);
  const sign = signOf(cause, nowMs);
  const { first, rest } = firstSentence(cause.message);
  const [newest] = data?.jobs ?? [];
  const marks = useReleases(cause.endpointId);
  const endpoint = findEndpoint(connections, newest?.connectionId ?? '', cause.endpointId);
  return (
    <section className={styles.detail} aria-label={causeText.label} tabIndex={0}>
      <p className={styles.top}>
        <StatusPill kind={cause.kind} word={causeText.failed(cause.jobs)} />
        {sign !== null && <span className={causeStyles.sign}>{signNames[sign]}</span>}
      </p>
      <h2 className={styles.title} dir="auto">
        <VariedText text={first} />
      </h2>
      <p className={styles.about}>
        <span className={causeStyles.endpoint}>
          <EndpointIcon endpoint={endpoint} size={14} />
          {endpointName(endpoint)}
        </span>
        {cause.frame !== '' && <span className="mono">{frameText(cause.frame)}</span>}
        <span>{causeText.firstSeen(cause.firstAtMs, nowMs)}</span>
        <span>{causeText.lastSeen(nowMs - cause.lastAtMs)}</span>
      </p>
      {cause.mute !== null && (
        <p className={styles.muteNote}>
          <BellOff size={14} aria-hidden="true" />
          <span dir="auto">{muteText(cause.mute)}</span>
        </p>
      )}
      <CauseActions cause={cause} detail={data} isReading={data === undefined && error === null} {...keys} />
      {(rest !== '' || cause.message.includes('…')) && (
        <SeenMessage parts={data?.message ?? [{ kind: 'text', text: cause.message }]} />
      )}
      <TrendChart parts={cause.trend} kind={cause.kind} sinceMs={sinceMs} nowMs={nowMs} marks={marks} />
      {error !== null && <p className={styles.note}>{error.message}</p>}
      {data === undefined ? (
        error === null && <SkeletonRows count={6} height={28} />
      ) : (
        <>
          <InCommon detail={data} />
          <DifferenceNote detail={data} />
          <Jobs jobs={data.jobs} total={data.total} />
        </>
      )}
    </section>
  );
}

/** When templates that the endpoint uses, as far as known, were updated from here; oldest first. */
function useReleases(endpointId: string): TrendMark[] {
  const connection = useCurrentConnection();
  const { data = [] } = useCall('template:list', connection === null ? null : { connectionId: connection.id }, {
    isKeptByEvents: true,
  });
  return data
    .filter(({ endpointIds }) => endpointIds.includes(endpointId))
    .flatMap(({ name, templateId, updatedAtMs }) =>
      updatedAtMs.map((atMs) => ({ atMs, text: trendText.updated(name ?? templateId) })),
    )
    .sort((one, other) => one.atMs - other.atMs);
}

function InCommon({ detail }: { detail: FailureDetail }) {
  const { common, failedSeen, completedSeen } = detail;
  return (
    <section className={styles.block} aria-label={inCommonText.title}>
      <h3>
        {inCommonText.title} <span>{inCommonText.compared(detail)}</span>
      </h3>
      {common.length === 0 ? (
        <p className={styles.note}>{inCommonText.nothing(detail)}</p>
      ) : (
        <>
          <div className={classes(styles.fact, styles.factHead)} aria-hidden="true">
            <span>{inCommonText.fact}</span>
            <span>{inCommonText.failed}</span>
            <span />
            <span>{inCommonText.completed}</span>
            <span />
          </div>
          {common.map((fact) => (
            <Fact
              key={fact.name}
              fact={fact}
              isWeak={!separates(fact, detail)}
              failedSeen={failedSeen}
              completedSeen={completedSeen}
            />
          ))}
        </>
      )}
    </section>
  );
}

interface FactProps {
  fact: CommonFact;
  /** It does not distinguish the failed jobs from the others, so it is less prominent. */
  isWeak: boolean;
  failedSeen: number;
  completedSeen: number;
}

function Fact({ fact, isWeak, failedSeen, completedSeen }: FactProps) {
  return (
    <div className={styles.fact}>
      <span className={classes(styles.factName, isWeak && 't3')} title={`${fact.name} ${traitText(fact.trait)}`}>
        {fact.name} <b>{traitText(fact.trait)}</b>
      </span>
      <ExecutionBar kind="fail" fraction={fact.failed / Math.max(1, failedSeen)} />
      <span>{inCommonText.share(fact.failed, failedSeen)}</span>
      <ExecutionBar kind="done" fraction={fact.completed / Math.max(1, completedSeen)} />
      <span>{inCommonText.share(fact.completed, completedSeen)}</span>
    </div>
  );
}

function Jobs({ jobs, total }: { jobs: readonly Job[]; total: number }) {
  const nowMs = useNow(60_000);
  return (
    <section className={styles.block} aria-label={causeText.jobs}>
      <h3>
        {causeText.jobs} <span>{jobs.length < total ? causeText.newest(jobs.length, total) : ''}</span>
      </h3>
      {jobs.map((job) => (
        <button key={job.key} type="button" className={styles.job} onClick={() => goToJob(job.key)}>
          <StatusGlyph kind={statusKind(job)} size={14} />
          <span className="trunc">{job.title}</span>
          <span className="mono t3">{job.jobId?.slice(0, 8) ?? ''}</span>
          <span className="num">{formatMeasured(job.executionTimeMs)}</span>
          <span className="num t3">{formatAge(nowMs - (job.finishedSeenAtMs ?? job.createdAtMs))}</span>
        </button>
      ))}
    </section>
  );
}
