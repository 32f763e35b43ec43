import { Bug } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import type { FailureCause } from '../../src-preload/failure-cause.ts';
import { endpointName } from '../../src-preload/connection.ts';
import { findEndpoint, useCurrentConnection, useNow, useSession } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { formatAge, formatCount, formatCountOf, formatDay } from '../design/format.ts';
import { Segmented } from '../design/segmented.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { CauseDetail } from './cause-detail.tsx';
import { CauseFilter } from './cause-filter.tsx';
import { firstSentence } from './cause-message.tsx';
import { isMeant, signOf } from './cause-signs.ts';
import { spans, useCauses, type Span } from './failures.ts';
import { Trend } from './trend.tsx';
import { muteText } from './mutes.ts';
import styles from './failures.module.css';

const spanNames: Readonly<Record<Span, string>> = { '1': 'Today', '7': '7 days', '30': '30 days' };

/** Failures by cause: a list with their trends, and the details of the chosen one. */
export function FailuresPane() {
  const [span, setSpan] = useState<Span>('7');
  const [chosenId, setChosenId] = useState<number | null>(null);
  const [typed, setTyped] = useState('');
  const { overview, sinceMs, problem } = useCauses(span);
  const connection = useCurrentConnection();
  const connections = useSession((state) => state.connections);
  if (overview === null)
    return problem === null ? (
      <SkeletonRows count={8} height={64} />
    ) : (
      <EmptyState art={null} title="Could not read the failures" text={problem} />
    );
  const { causes: all, unsorted } = overview;
  const endpointOf = ({ endpointId }: FailureCause): string =>
    endpointName(findEndpoint(connections, connection?.id ?? '', endpointId));
  const causes = all.filter((cause) => isMeant(cause, endpointOf(cause), typed));
  const loud = causes.filter(({ mute }) => mute === null);
  const muted = causes.filter(({ mute }) => mute !== null);
  const chosen = causes.find(({ id }) => id === chosenId) ?? loud[0] ?? muted[0] ?? null;
  const jobs = loud.reduce((sum, cause) => sum + cause.jobs, 0);
  return (
    <div className={styles.pane}>
      <section className={styles.list} aria-label="Causes">
        <div className={styles.head}>
          <span className={styles.sum}>
            {formatCountOf(jobs, 'job')}, {formatCountOf(loud.length, 'cause')}
            {unsorted > 0 && `, ${formatCount(unsorted)} more being sorted`}
          </span>
          <Segmented
            label="Time"
            size="sm"
            value={span}
            onChange={setSpan}
            options={spans.map((value) => ({ value, label: spanNames[value] }))}
          />
        </div>
        <CauseFilter typed={typed} onTyped={setTyped} />
        {causes.length === 0 && all.length > 0 ? (
          <EmptyState
            art={null}
            title="No cause matches"
            text={`“${typed.trim()}” is in no message, frame or endpoint of ${formatCountOf(all.length, 'cause')}.`}
            actions={<Button onClick={() => setTyped('')}>Clear the filter</Button>}
          />
        ) : causes.length === 0 ? (
          <EmptyState
            art={null}
            title={unsorted > 0 ? 'Sorting failures by their cause' : 'No failures in this time'}
            text={
              unsorted > 0
                ? `${formatCountOf(unsorted, 'failed job')} left to sort.`
                : 'Failed jobs are grouped here by what their errors have in common.'
            }
          />
        ) : (
          <Causes loud={loud} muted={muted} chosen={chosen} onChoose={setChosenId} />
        )}
      </section>
      {chosen !== null && <CauseDetail key={chosen.id} cause={chosen} sinceMs={sinceMs} />}
    </div>
  );
}

interface CausesProps {
  loud: readonly FailureCause[];
  muted: readonly FailureCause[];
  chosen: FailureCause | null;
  onChoose: (id: number) => void;
}

function Causes({ loud, muted, chosen, onChoose }: CausesProps) {
  const all = [...loud, ...muted];
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = all[Math.min(all.length - 1, Math.max(0, all.findIndex(({ id }) => id === chosen?.id) + step))];
    if (next !== undefined) onChoose(next.id);
  };
  const rows = (causes: readonly FailureCause[]) =>
    causes.map((cause) => (
      <CauseRow key={cause.id} cause={cause} isChosen={cause.id === chosen?.id} onChoose={() => onChoose(cause.id)} />
    ));
  return (
    <div
      className={styles.rows}
      role="listbox"
      aria-label="Causes of failures"
      tabIndex={0}
      aria-activedescendant={chosen === null ? undefined : `cause-${chosen.id}`}
      onKeyDown={move}
    >
      {rows(loud)}
      {muted.length > 0 && (
        <div className={styles.mutedHead} role="presentation">
          Muted <span>{muted.length}, still counted, never notify</span>
        </div>
      )}
      {rows(muted)}
      <p className={styles.rule} role="presentation">
        <Bug size={14} />
        Numbers, ids, paths and addresses in a message are ignored when causes are grouped.
      </p>
    </div>
  );
}

function CauseRow({ cause, isChosen, onChoose }: { cause: FailureCause; isChosen: boolean; onChoose: () => void }) {
  const connection = useCurrentConnection();
  const connections = useSession((state) => state.connections);
  const nowMs = useNow(60_000);
  const endpoint = endpointName(findEndpoint(connections, connection?.id ?? '', cause.endpointId));
  const sign = signOf(cause, nowMs);
  const signText = sign === null ? '' : `, ${sign}`;
  const mutedText = cause.mute === null ? '' : `, ${muteText(cause.mute)}`;
  const { first: sentence, rest } = firstSentence(cause.message);
  const first = formatDay(cause.firstAtMs, nowMs);
  const last = `last ${formatAge(nowMs - cause.lastAtMs)} ago`;
  return (
    <div
      id={`cause-${cause.id}`}
      role="option"
      aria-selected={isChosen}
      className={classes(styles.row, isChosen && styles.chosen, cause.mute !== null && styles.isMuted)}
      onClick={onChoose}
    >
      <span className="visually-hidden">
        {`${cause.message}, ${formatCountOf(cause.jobs, 'job')}, ${endpoint}, ${last}${signText}${mutedText}`}
      </span>
      <StatusGlyph kind={cause.kind} size={16} />
      <div className={styles.words} aria-hidden="true">
        <span className={styles.headline}>
          <span className={styles.message}>{sentence}</span>
          {sign !== null && <span className={styles.sign}>{sign}</span>}
        </span>
        {rest !== '' && <span className={styles.frame}>{rest}</span>}
        {rest === '' && cause.frame !== '' && <span className={styles.frame}>in {cause.frame}</span>}
        <span className={styles.meta}>
          {cause.mute === null ? `${endpoint}, first seen ${first}` : `${endpoint}, ${muteText(cause.mute)}`}
        </span>
      </div>
      <Trend parts={cause.trend} kind={cause.kind} />
      <span className={styles.jobs} aria-hidden="true">
        {formatCount(cause.jobs)}
      </span>
      <span className={styles.last} aria-hidden="true">
        {formatAge(nowMs - cause.lastAtMs)}
      </span>
    </div>
  );
}
