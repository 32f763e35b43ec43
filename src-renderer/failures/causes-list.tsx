import { BellOff, ChevronDown, ChevronRight } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import type { FailureCause } from '../../src-preload/failure-cause.ts';
import { endpointName, type Endpoint } from '../../src-preload/connection.ts';
import { findEndpoint, useCurrentConnection, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { classes } from '../design/class-names.ts';
import { formatAge, formatCount, formatCountOf } from '../../src-preload/format.ts';
import { EndpointIcon } from '../design/endpoint-icon.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { causeAbout, causeRowText, causesText, frameText, signNames } from '../messages/failures/list.ts';
import type { CauseGroup, CauseRow } from './cause-groups.ts';
import { firstSentence, VariedText } from './cause-message.tsx';
import { signOf } from './cause-signs.ts';
import { GroupingRules } from './grouping-rules.tsx';
import { Trend } from './trend.tsx';
import causeStyles from './cause.module.css';
import styles from './causes-list.module.css';

/**
 * How many rows the pressed key moves in the list of causes: 1, -1, or 0 if it does not move, as with the chords of the
 * window.
 */
export function causeStepOf(press: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): -1 | 0 | 1 {
  if (press.ctrlKey || press.metaKey || press.altKey) return 0;
  switch (press.key) {
    case 'ArrowDown':
    case 'j':
      return 1;
    case 'ArrowUp':
    case 'k':
      return -1;
    default:
      return 0;
  }
}

interface CausesListProps {
  groups: readonly CauseGroup[];
  muted: readonly CauseRow[];
  chosenKey: string | null;
  onChoose: (key: string) => void;
  /** The head of the trends: `Last 7 days`. */
  period: string;
  /** Shown under the list. */
  notes: readonly string[];
  isMutedFolded: boolean;
  onMutedFolded: (isFolded: boolean) => void;
}

/** Causes under the heads of their groups, and the muted ones below in a list of their own that folds. */
export function CausesList(props: CausesListProps) {
  const { groups, muted, chosenKey, onChoose, period, notes, isMutedFolded, onMutedFolded } = props;
  return (
    <div className={styles.rows}>
      <div className={classes(styles.row, styles.columns)} aria-hidden="true">
        <span />
        <span>{causesText.cause}</span>
        <span className={styles.period}>{period}</span>
        <span className={styles.right}>{causesText.jobs}</span>
        <span className={styles.last}>{causesText.last}</span>
      </div>
      {groups.length > 0 && (
        <RowList label={causesText.list} groups={groups} chosenKey={chosenKey} onChoose={onChoose} />
      )}
      {muted.length > 0 && (
        <>
          <button
            type="button"
            className={styles.mutedHead}
            aria-expanded={!isMutedFolded}
            onClick={() => onMutedFolded(!isMutedFolded)}
          >
            {isMutedFolded ? <ChevronRight size={14} /> : <ChevronDown size={14} />}
            {causesText.muted} <span>{muted.length}</span>
            <span className={styles.mutedNote}>{causesText.mutedNote}</span>
          </button>
          {!isMutedFolded && (
            <RowList
              label={causesText.mutedList}
              groups={[{ key: '', title: null, jobs: 0, rows: [...muted] }]}
              chosenKey={chosenKey}
              onChoose={onChoose}
            />
          )}
        </>
      )}
      <div className={styles.rule}>
        <p>{[causesText.groupingNote, ...notes].join(' ')}</p>
        <GroupingRules />
      </div>
    </div>
  );
}

interface RowListProps {
  label: string;
  groups: readonly CauseGroup[];
  chosenKey: string | null;
  onChoose: (key: string) => void;
}

function RowList({ label, groups, chosenKey, onChoose }: RowListProps) {
  const all = groups.flatMap(({ rows }) => rows);
  const chosenAt = all.findIndex(({ key }) => key === chosenKey);
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const step = causeStepOf(event);
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = all[Math.min(all.length - 1, Math.max(0, chosenAt + step))];
    if (next === undefined) return;
    onChoose(next.key);
    document.getElementById(rowId(next.key))?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div
      role="listbox"
      aria-label={label}
      tabIndex={0}
      className={styles.listbox}
      aria-activedescendant={chosenAt < 0 || chosenKey === null ? undefined : rowId(chosenKey)}
      onKeyDown={move}
    >
      {groups.map(({ key, title, jobs, rows }) => {
        const options = rows.map((row) => (
          <Row
            key={row.key}
            row={row}
            isUnderHead={title !== null}
            isChosen={row.key === chosenKey}
            onChoose={() => onChoose(row.key)}
          />
        ));
        if (title === null) return options;
        return (
          <div key={key} role="group" aria-label={causesText.groupOf(title, jobs)}>
            <p className={styles.groupHead} role="presentation">
              <span className="trunc" title={title}>
                {title}
              </span>
              <span className={styles.groupJobs}>{formatCountOf(jobs, 'job')}</span>
            </p>
            {options}
          </div>
        );
      })}
    </div>
  );
}

function rowId(key: string): string {
  return `cause-${key}`;
}

interface RowProps {
  row: CauseRow;
  /** The head names the endpoint. */
  isUnderHead: boolean;
  isChosen: boolean;
  onChoose: () => void;
}

function Row({ row: { key, cause }, isUnderHead, isChosen, onChoose }: RowProps) {
  const nowMs = useNow(60_000);
  const endpoint = useEndpoint(cause);
  const sign = signOf(cause, nowMs);
  const isMuted = cause.mute !== null;
  return (
    <div
      id={rowId(key)}
      role="option"
      aria-selected={isChosen}
      className={classes(styles.row, isChosen && styles.chosen, isMuted && styles.isMuted)}
      onClick={onChoose}
    >
      <span className="visually-hidden">{causeRowText(cause, { endpoint: endpointName(endpoint), sign, nowMs })}</span>
      {isMuted ? <BellOff size={16} aria-hidden="true" /> : <StatusGlyph kind={cause.kind} size={16} />}
      <RowWords cause={cause} endpoint={isUnderHead ? null : endpoint} sign={sign} nowMs={nowMs} />
      <Trend parts={cause.trend} kind={isMuted ? 'cancel' : cause.kind} />
      <span className={styles.jobs} aria-hidden="true">
        {formatCount(cause.jobs)}
      </span>
      <span className={styles.last} aria-hidden="true">
        {formatAge(nowMs - cause.lastAtMs)}
      </span>
    </div>
  );
}

function useEndpoint({ endpointId }: Pick<FailureCause, 'endpointId'>): Endpoint {
  const connection = useCurrentConnection();
  const connections = useSession((state) => state.connections);
  return findEndpoint(connections, connection?.id ?? '', endpointId);
}

interface RowWordsProps {
  cause: FailureCause;
  /** Null: not shown. */
  endpoint: Endpoint | null;
  sign: 'new' | 'rising' | null;
  nowMs: number;
}

function RowWords({ cause, endpoint, sign, nowMs }: RowWordsProps) {
  const { first: sentence, rest } = firstSentence(cause.message);
  return (
    <div className={styles.words} aria-hidden="true">
      <span className={styles.headline}>
        <span className={styles.message}>
          <VariedText text={sentence} />
        </span>
        {sign !== null && <span className={causeStyles.sign}>{signNames[sign]}</span>}
      </span>
      {rest !== '' && (
        <span className={styles.frame}>
          <VariedText text={rest} />
        </span>
      )}
      {rest === '' && cause.frame !== '' && <span className={styles.frame}>{frameText(cause.frame)}</span>}
      <span className={styles.meta}>
        {endpoint !== null && (
          <span className={causeStyles.endpoint}>
            <EndpointIcon endpoint={endpoint} size={12} />
            {endpointName(endpoint)}
          </span>
        )}
        <span className="trunc">{causeAbout(cause, nowMs)}</span>
      </span>
    </div>
  );
}
