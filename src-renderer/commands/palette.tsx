import { Dialog } from '@base-ui/react/dialog';
import { Columns2, ListFilter, Search, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import { isFinished, statusKind, statusWord, type Job } from '../../src-preload/job.ts';
import { useCall } from '../data/calls.ts';
import { useWhenReady } from '../design/use-pause.ts';
import { classes } from '../design/class-names.ts';
import { formatDay } from '../../src-preload/format.ts';
import { Kbd } from '../design/kbd.tsx';
import { returnFocus } from '../design/return-focus.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { retentionEndOf } from '../data/service-deadlines.ts';
import { findEndpoint, useCurrentConnection, useNow, useSession } from '../data/session-store.ts';
import type { Command } from './command.ts';
import { useFoundJobs, type MoreJobs } from './found-jobs.ts';
import { goCommands, type KnownPlaces } from './go-commands.tsx';
import { useBatches } from '../batches/batches.ts';
import { batchCommands } from './list-commands.tsx';
import { presetCommands } from './preset-commands.tsx';
import { runCommands } from './run-commands.tsx';
import { commandsOfJob, type CommandScope } from './scope.ts';
import { namedJobId } from '../follow/job-ids.ts';
import { paletteText } from '../messages/commands/palette.ts';
import { compareJobs, goToJob, goToPlace } from '../navigation/go.ts';
import { isMainWindow } from '../navigation/route.ts';
import { useShell } from '../navigation/shell-store.ts';
import { mainScope } from './main-scope.ts';
import { matchLabel, rankCommands, refusedGroupsLast } from './match.ts';
import styles from './palette.module.css';

/** Commands and jobs, opened with Ctrl K in any window. `scope` is that of the main window unless another is given. */
export function Palette({ scope = mainScope }: { scope?: CommandScope }) {
  const isOpen = useShell((state) => state.isPaletteOpen);
  const close = (): void => useShell.getState().set({ isPaletteOpen: false });
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={(open) => {
        if (!open) close();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.scrim} />
        <Dialog.Popup className={styles.palette} finalFocus={returnFocus} aria-label={paletteText.name}>
          <PaletteBody scope={scope} onClose={close} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface Line {
  id: string;
  group: string;
  icon: ReactNode;
  label: ReactNode;
  /** The state of a job, which its icon shows. */
  state?: string;
  hint: string;
  keys: readonly string[] | undefined;
  /** Not available now. The hint has the reason. */
  isRefused?: boolean;
  run: () => void;
}

const commandsShown = 6;
/** All commands of a job, or of what a window of its own shows. */
const narrowShown = 40;

function PaletteBody({ scope, onClose }: { scope: CommandScope; onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const [hasLeftJob, setLeftJob] = useState(false);
  const [isNarrow, setNarrow] = useState(false);
  const subject = hasLeftJob ? null : scope.openJob();
  const {
    jobs: found,
    more,
    problem,
    isSearching,
  } = useFoundJobs(isNarrow ? '' : query, scope.connection()?.id ?? null);
  const places = usePlaces();
  const body = useRef<HTMLDivElement>(null);
  const nowMs = useNow(15_000);

  const lines = useMemo(() => {
    if (isNarrow && subject !== null) {
      return commandLines(commandsOfJob(subject, nowMs), paletteText.thisJob, query, narrowShown);
    }
    const max = query !== '' ? commandsShown : isMainWindow() ? 4 : narrowShown;
    const everywhere = [
      ...runCommands(scope.connection()),
      ...presetCommands(),
      ...goCommands(places),
      ...batchCommands(nowMs),
    ];
    return refusedGroupsLast([
      ...scope
        .sections(subject, nowMs)
        .flatMap(({ title, commands }) => commandLines(commands, title ?? paletteText.thisJob, query, max)),
      ...jobLines(found, query, nowMs),
      ...(more === null ? [] : [allJobsLine(more)]),
      ...(namedJobId(query) === null ? [] : compareLines(found, subject)),
      ...commandLines(everywhere, paletteText.goToAndRun, query, query === '' ? 8 : commandsShown),
    ]);
  }, [scope, subject, query, isNarrow, found, more, nowMs, places]);
  // With the jobs that are found, so that nothing moves when they come.
  const typed = useMemo(
    () => ({ query: query.trim(), lines, problem, isSearching }),
    [query, lines, problem, isSearching],
  );
  const shown = useWhenReady(typed, !isSearching, isOtherQuery);
  const chosen = Math.min(at, shown.lines.length - 1);

  useEffect(() => {
    body.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen, shown]);

  const run = (line: Line | undefined): void => {
    if (line === undefined || line.isRefused === true) return;
    onClose();
    line.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const count = shown.lines.length;
      setAt((chosen + (event.key === 'ArrowDown' ? 1 : -1) + count) % Math.max(1, count));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // Enter that is still held opened the palette.
      if (event.repeat) return;
      // The field may be ahead of its lines. What was typed counts, unless the user chose one of them.
      run(at === 0 ? lines[0] : shown.lines[chosen]);
    } else if (event.key === 'Tab' && subject !== null) {
      event.preventDefault();
      setNarrow(!isNarrow);
      setAt(0);
    } else if (event.key === 'Backspace' && query === '' && isNarrow) {
      setNarrow(false);
    }
  };

  return (
    <>
      <div className={styles.head}>
        <Search />
        <input
          className={styles.query}
          role="combobox"
          aria-label={paletteText.query}
          aria-expanded="true"
          aria-controls="palette-lines"
          aria-activedescendant={shown.lines[chosen] === undefined ? undefined : `palette-${shown.lines[chosen].id}`}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          placeholder={isNarrow ? paletteText.placeholderOfJob : paletteText.placeholder}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKey}
        />
        {subject !== null && (
          <span className={styles.subject}>
            {paletteText.onJob(subject.jobId?.slice(0, 8))}
            <button
              type="button"
              aria-label={paletteText.leaveJob}
              onClick={() => {
                setLeftJob(true);
                setNarrow(false);
              }}
            >
              <X size={12} />
            </button>
          </span>
        )}
      </div>
      <NoLines {...shown} />
      <div ref={body} id="palette-lines" className={styles.lines} role="listbox" aria-label={paletteText.results}>
        <Lines lines={shown.lines} chosen={chosen} onPoint={setAt} onRun={run} />
      </div>
      <Foot hasSubject={subject !== null} isNarrow={isNarrow} />
    </>
  );
}

interface ShownLines {
  /** What they answer. */
  query: string;
  lines: readonly Line[];
  problem: string | null;
  isSearching: boolean;
}

/** Why there are no lines, or none of jobs. */
function NoLines({ query, lines, problem, isSearching }: ShownLines) {
  if (problem !== null)
    return (
      <p className={styles.none} role="alert">
        {paletteText.couldNotSearch(problem)}
      </p>
    );
  if (lines.length > 0 || isSearching) return null;
  return (
    <p className={styles.none} role="status">
      {paletteText.noResults(query)}
    </p>
  );
}

function isOtherQuery(shown: ShownLines, next: ShownLines): boolean {
  return shown.query !== next.query;
}

interface LinesProps {
  lines: readonly Line[];
  chosen: number;
  onPoint: (index: number) => void;
  onRun: (line: Line) => void;
}

function Lines({ lines, chosen, onPoint, onRun }: LinesProps): ReactNode {
  return lines.map((line, index) => (
    <div key={line.id} role="presentation">
      {lines[index - 1]?.group !== line.group && (
        <div className={styles.group} role="presentation">
          {line.group}
        </div>
      )}
      <div
        id={`palette-${line.id}`}
        role="option"
        aria-selected={index === chosen}
        aria-disabled={line.isRefused === true ? true : undefined}
        aria-description={[line.state, line.hint].filter((part) => part !== undefined && part !== '').join(', ')}
        className={classes(styles.line, index === chosen && styles.chosen, line.isRefused === true && styles.refused)}
        onMouseMove={() => onPoint(index)}
        onClick={() => onRun(line)}
      >
        {line.icon}
        <span className={styles.label}>{line.label}</span>
        <span className={classes(styles.hint, 'trunc')} aria-hidden="true">
          {line.hint}
        </span>
        {line.keys !== undefined && line.isRefused !== true && <Kbd keys={line.keys} />}
      </div>
    </div>
  ));
}

function Foot({ hasSubject, isNarrow }: { hasSubject: boolean; isNarrow: boolean }) {
  return (
    <div className={styles.foot}>
      <span>
        <Kbd keys={['↑', '↓']} />
        {paletteText.move}
      </span>
      <span>
        <Kbd keys={['↵']} />
        {paletteText.run}
      </span>
      {hasSubject && (
        <span>
          <Kbd keys={['Tab']} />
          {isNarrow ? paletteText.allCommands : paletteText.narrowToJob}
        </span>
      )}
      <span className={styles.end}>
        <Kbd keys={['Esc']} />
        {paletteText.close}
      </span>
    </div>
  );
}

function Bold({ parts }: { parts: readonly string[] }): ReactNode {
  return parts.map((part, index) => (index % 2 === 1 ? <b key={index}>{part}</b> : part));
}

function commandLines(commands: readonly Command[], group: string, query: string, max: number): Line[] {
  return rankCommands(commands, query)
    .slice(0, max)
    .map(({ command, parts }) => ({
      id: command.id.replaceAll(/[^\w-]/g, '-'),
      group,
      icon: command.icon,
      label: <Bold parts={parts} />,
      hint: command.refusal ?? command.hint ?? '',
      keys: command.keys,
      isRefused: command.refusal !== undefined,
      run: command.run,
    }));
}

function jobLines(jobs: readonly Job[], query: string, nowMs: number): Line[] {
  const { connections } = useSession.getState();
  return jobs.map((job) => {
    const endpoint = findEndpoint(connections, job.connectionId, job.endpointId);
    const isSavedHereOnly = isFinished(job) && (retentionEndOf(job) ?? Infinity) < nowMs;
    const hint = [
      endpointName(endpoint),
      formatDay(job.createdAtMs, nowMs),
      ...(isSavedHereOnly ? [paletteText.savedHereOnly] : []),
    ];
    return {
      id: `job-${job.key}`,
      group: isMainWindow() ? paletteText.jobs : paletteText.jobsInMain,
      icon: <StatusGlyph kind={statusKind(job)} size={16} />,
      label: <Bold parts={matchLabel(query, job.title)?.parts ?? [job.title]} />,
      state: statusWord(job),
      hint: hint.join(', '),
      keys: undefined,
      run: () => goToJob(job.key),
    };
  });
}

/** The way from the few jobs that are found here to all of them. */
function allJobsLine({ total, isTotalCut, query }: MoreJobs): Line {
  return {
    id: 'all-jobs',
    group: isMainWindow() ? paletteText.jobs : paletteText.jobsInMain,
    icon: <ListFilter size={16} />,
    label: paletteText.showAll(total, isTotalCut),
    hint: '',
    keys: undefined,
    run: () => goToPlace({ view: 'all', endpointId: null }, query),
  };
}

/** A job whose id was pasted is mostly wanted beside the one that is open. */
function compareLines(jobs: readonly Job[], open: Job | null): Line[] {
  return open === null
    ? []
    : jobs
        .filter(({ key }) => key !== open.key)
        .map((job) => ({
          id: `compare-${job.key}`,
          group: isMainWindow() ? paletteText.jobs : paletteText.jobsInMain,
          icon: <Columns2 size={16} />,
          label: paletteText.compareWithOpen,
          hint: job.title,
          keys: undefined,
          run: () => compareJobs([open.key, job.key]),
        }));
}

/** The places of the current connection. Read here, because a window of its own does not show them. */
function usePlaces(): KnownPlaces {
  const connectionId = useCurrentConnection()?.id;
  const of = connectionId === undefined ? null : { connectionId };
  const { data: pods } = useCall('pod:list', of, { isKeptByEvents: true });
  const { data: templates } = useCall('template:list', of);
  const batches = useBatches();
  return useMemo(() => ({ pods: pods ?? [], templates: templates ?? [], batches }), [pods, templates, batches]);
}
