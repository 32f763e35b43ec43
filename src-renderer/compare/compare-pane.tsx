import { ArrowLeftRight, ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { endOf, statusLook } from '../../src-preload/job.ts';
import { endpointName } from '../../src-preload/connection.ts';
import { useRates } from '../costs/rates.ts';
import { findEndpoint, useNow, useSession } from '../data/session-store.ts';
import { classes } from '../design/class-names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { Button } from '../design/button.tsx';
import { ExecutionBar } from '../design/execution-bar.tsx';
import { formatClock, formatDay } from '../design/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { isCovered, isTyping } from '../design/key-target.ts';
import { Segmented } from '../design/segmented.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { MarkGlyph } from '../job/mark-glyph.tsx';
import { compareSides, goToJob, leavePane } from '../navigation/go.ts';
import type { ComparedSide } from '../navigation/shell-store.ts';
import { ComparedSection } from './compared-section.tsx';
import { factRows, type FactRow } from './facts.ts';
import { useSides, type SideRead } from './sides.ts';
import styles from './compare.module.css';

const letters = ['A', 'B', 'C', 'D'] as const;

/** Two to four jobs or attempts side by side: facts, inputs and outputs. */
export function ComparePane({ sides }: { sides: readonly ComparedSide[] }) {
  const { sides: read, problem } = useSides(sides);
  if (problem !== null)
    return (
      <EmptyState
        art={null}
        title="Could not read the jobs"
        text={problem.message}
        actions={
          <Button size="lg" onClick={leavePane}>
            Back to the list
          </Button>
        }
      />
    );
  if (read === null) return <SkeletonRows count={10} height={30} />;
  return <Comparison read={read} />;
}

function Comparison({ read }: { read: readonly SideRead[] }) {
  const [view, setView] = useState<'differences' | 'everything'>('differences');
  const scroller = useRef<HTMLDivElement>(null);
  useDifferenceKeys(scroller);
  const bodies = read.map((side) => side.bodies);
  const failed = read.find((side) => side.problem !== null);
  const isEverything = view === 'everything';
  const areRead = bodies.every((each) => each !== null);
  return (
    <div className={styles.pane} data-sides={read.length}>
      <div className={styles.toolbar} role="toolbar" aria-label="Comparison">
        <Segmented
          label="What is shown"
          size="sm"
          value={view}
          onChange={setView}
          options={[
            { value: 'differences', label: 'Differences' },
            { value: 'everything', label: 'Everything' },
          ]}
        />
        <IconButton
          label="Previous difference"
          size="sm"
          keys={['Shift', 'F8']}
          icon={<ChevronUp />}
          onClick={() => goToDifference(scroller.current, -1)}
        />
        <IconButton
          label="Next difference"
          size="sm"
          keys={['F8']}
          icon={<ChevronDown />}
          onClick={() => goToDifference(scroller.current, 1)}
        />
        <span className={styles.gap} />
        {read.length === 2 && (
          <Button
            size="sm"
            icon={<ArrowLeftRight />}
            onClick={() => compareSides(read.map(({ side }) => side).toReversed())}
          >
            Swap
          </Button>
        )}
        <Button size="sm" icon={<X />} onClick={leavePane}>
          Close
        </Button>
      </div>
      <div className={styles.scroller} ref={scroller} tabIndex={0} role="region" aria-label="Compared jobs">
        <div className={classes(styles.row, styles.cards)}>
          <span className={styles.path} />
          {read.map((side, at) => (
            <Card key={`${side.side.key} ${side.side.attempt ?? ''}`} side={side} at={at} all={read} />
          ))}
          <span className={styles.change}>{read.length === 2 ? 'B against A' : ''}</span>
        </div>
        <Facts read={read} isEverything={isEverything} />
        {failed !== undefined && <p className={styles.more}>{failed.problem?.message}</p>}
        {!areRead && failed === undefined && <SkeletonRows count={6} height={26} />}
        {areRead && (
          <>
            <ComparedSection
              title="Input"
              texts={bodies.map((each) => each?.input ?? null)}
              areText={false}
              isEverything={isEverything}
            />
            <ComparedSection
              title="Output"
              texts={bodies.map((each) => each?.output?.text ?? null)}
              areText={bodies.some((each) => each?.output?.isStreamed === true)}
              isEverything={isEverything}
            />
          </>
        )}
      </div>
    </div>
  );
}

/** F8 and Shift F8, as in the composer's list of problems. */
function useDifferenceKeys(scroller: React.RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isCovered() || isTyping(event)) return;
      if (event.key === 'F8') goToDifference(scroller.current, event.shiftKey ? -1 : 1);
      else if (event.key === 'Escape') leavePane();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [scroller]);
}

function goToDifference(scroller: HTMLElement | null, step: 1 | -1): void {
  const all = [...(scroller?.querySelectorAll<HTMLElement>('[data-difference]') ?? [])];
  const at = all.findIndex((each) => each.contains(document.activeElement));
  const next = all[at === -1 ? (step === 1 ? 0 : all.length - 1) : (at + step + all.length) % all.length];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

function Card({ side, at, all }: { side: SideRead; at: number; all: readonly SideRead[] }) {
  const { job, attempts } = side.detail;
  const connections = useSession((state) => state.connections);
  const nowMs = useNow(60_000);
  const isFormer = side.attempt !== null && side.attempt.number !== job.attempt;
  const look = statusLook(isFormer && side.attempt !== null ? endOf(side.attempt) : job);
  const sentAtMs = isFormer ? (side.attempt?.startedAtMs ?? job.createdAtMs) : job.createdAtMs;
  const rest = all.filter((each) => each !== side).map((each) => each.side);
  return (
    <div className={styles.card}>
      <div className={styles.cardTop}>
        <span className={styles.letter}>{letters[at]}</span>
        <StatusGlyph look={look} size={14} />
        <button type="button" className={styles.name} title={job.title} onClick={() => goToJob(job.key)}>
          {job.title}
        </button>
        {rest.length > 1 && (
          <IconButton
            label={`Take ${letters[at] ?? ''} out`}
            size="sm"
            hasSmallGlyph
            icon={<X />}
            onClick={() => compareSides(rest)}
          />
        )}
      </div>
      <div className={styles.cardMeta}>
        {job.jobId !== null && <span className="mono">{job.jobId.slice(0, 8)}</span>}
        <span className="trunc">{endpointName(findEndpoint(connections, job.connectionId, job.endpointId))}</span>
        <span>
          {formatDay(sentAtMs, nowMs)}, {formatClock(sentAtMs)}
        </span>
        {attempts.length > 1 && <span>attempt {side.attempt?.number ?? job.attempt}</span>}
        {job.mark !== undefined && <MarkGlyph mark={job.mark} />}
      </div>
    </div>
  );
}

function Facts({ read, isEverything }: { read: readonly SideRead[]; isEverything: boolean }) {
  const costs = useRates().data ?? [];
  const rows = factRows(read, costs, useNow(15_000));
  const differing = rows.filter(({ isEqual }) => !isEqual).length;
  return (
    <section className={styles.section} aria-label="Facts">
      <div className={styles.sectionHead}>
        <h2>Facts</h2>
        <span>
          {differing} {differing === 1 ? 'differs' : 'differ'}, {rows.length - differing} equal
        </span>
      </div>
      {rows
        .filter(({ isEqual }) => isEverything || !isEqual)
        .map((row) => (
          <Fact key={row.name} row={row} />
        ))}
    </section>
  );
}

function Fact({ row }: { row: FactRow }) {
  const most = Math.max(...row.cells.map(({ amount }) => amount ?? 0));
  return (
    <div className={classes(styles.row, styles.fact)}>
      <span className={styles.factName}>{row.name}</span>
      {row.cells.map(({ text, amount }, at) => (
        <span key={at} className={styles.amount}>
          {amount !== null && most > 0 && (
            <ExecutionBar look={row.name === 'In queue' ? 'queue' : 'done'} fraction={amount / most} />
          )}
          <span className={amount === null ? styles.factText : styles.factAmount} title={text}>
            {text}
          </span>
        </span>
      ))}
      <span className={styles.change}>{row.change}</span>
    </div>
  );
}
