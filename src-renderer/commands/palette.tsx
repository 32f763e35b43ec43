import { Dialog } from '@base-ui/react/dialog';
import { Search, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { Job } from '../../src-preload/job.ts';
import { useBatches } from '../batches/batches.ts';
import { useCall } from '../data/calls.ts';
import { useCurrentConnection } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { returnFocus } from '../design/keyboard/return-focus.ts';
import { useWhenReady } from '../design/use-pause.ts';
import { namedJobId } from '../follow/job-ids.ts';
import { paletteText } from '../messages/commands/palette.ts';
import { isMainWindow } from '../navigation/route.ts';
import { useShell } from '../navigation/shell-store.ts';
import type { Command } from './command.ts';
import { useFoundJobs } from './found-jobs.ts';
import { goCommands, type KnownPlaces } from './go-commands.tsx';
import { batchCommands } from './list-commands.tsx';
import { mainScope, presetCommands, settingCommands } from './palette-commands.tsx';
import { refusedGroupsLast } from './match.ts';
import {
  allJobsLine,
  commandLines,
  compareLines,
  jobLines,
  otherConnectionsLine,
  type Line,
} from './palette-lines.tsx';
import { Foot, Lines, NoLines, type ShownLines } from './palette-list.tsx';
import { loadRecentCommands, recentOf, useRecentCommands } from './recent-commands.ts';
import { runCommands } from './run-commands.tsx';
import { commandsOfJob, type CommandScope } from './scope.ts';
import styles from './palette.module.css';

/** Commands and jobs, opened with Ctrl K in any window. `scope` is that of the main window unless another is given. */
export function Palette({ scope = mainScope }: { scope?: CommandScope }) {
  const isOpen = useShell((state) => state.isPaletteOpen);
  const close = (): void => useShell.getState().set({ isPaletteOpen: false });
  useEffect(() => void loadRecentCommands(), []);
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

const commandsShown = 6;
const recentShown = 3;
/** All commands of a job, or of what a window of its own shows. */
const narrowShown = 40;

function PaletteBody({ scope, onClose }: { scope: CommandScope; onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const [hasLeftJob, setLeftJob] = useState(false);
  const [isNarrow, setNarrow] = useState(false);
  const subject = hasLeftJob ? null : scope.openJob();
  const body = useRef<HTMLDivElement>(null);
  const { lines, problem, isSearching } = usePaletteLines(scope, { query, subject, isNarrow });
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

interface Question {
  query: string;
  /** The job that commands act on. */
  subject: Job | null;
  /** Only the commands of that job. */
  isNarrow: boolean;
}

/** What answers a question: commands of the scope, jobs that are found, and commands that are the same everywhere. */
function usePaletteLines(scope: CommandScope, { query, subject, isNarrow }: Question) {
  const {
    jobs: found,
    more,
    others,
    problem,
    isSearching,
  } = useFoundJobs(isNarrow ? '' : query, scope.connection()?.id ?? null);
  const places = usePlaces();
  const recentIds = useRecentCommands((state) => state.ids);
  const nowMs = useNow(15_000);
  const lines = useMemo(() => {
    if (isNarrow && subject !== null) {
      return commandLines(commandsOfJob(subject, nowMs), paletteText.thisJob, query, narrowShown);
    }
    const isOfMain = isMainWindow() && !scope.isSheet;
    const max = query !== '' ? commandsShown : isOfMain ? 4 : narrowShown;
    const everywhere = [
      ...runCommands(scope.connection()),
      ...presetCommands(),
      ...goCommands(places),
      ...batchCommands(nowMs),
      ...settingCommands(),
    ];
    const sections = scope.sections(subject, nowMs);
    const known = [...sections.flatMap(({ commands }) => commands), ...everywhere];
    const recent = query === '' && !scope.isSheet ? recentOf(known, recentIds, recentShown) : [];
    const elsewhere = [
      ...jobLines(found, query, nowMs),
      ...(more === null ? [] : [allJobsLine(more)]),
      ...(others === null ? [] : [otherConnectionsLine(others)]),
      ...(namedJobId(query) === null ? [] : compareLines(found, subject)),
      ...commandLines(without(everywhere, recent), paletteText.goToAndRun, query, query === '' ? 8 : commandsShown),
    ];
    return refusedGroupsLast([
      ...commandLines(recent, paletteText.recent, query, recentShown),
      ...sections.flatMap(({ title, commands }) =>
        commandLines(without(commands, recent), title ?? paletteText.thisJob, query, max),
      ),
      ...elsewhere.map((line) => ({ ...line, run: () => scope.leaveFor(line.run) })),
    ]);
  }, [scope, subject, query, isNarrow, found, more, others, nowMs, places, recentIds]);
  return { lines, problem, isSearching };
}

/** The commands that are not among `shown` already. */
function without(commands: readonly Command[], shown: readonly Command[]): Command[] {
  return commands.filter((command) => !shown.includes(command));
}

function isOtherQuery(shown: ShownLines, next: ShownLines): boolean {
  return shown.query !== next.query;
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
