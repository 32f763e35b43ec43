import { Columns2, ListFilter, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { endpointName } from '../../src-preload/connection.ts';
import { formatDay } from '../../src-preload/format.ts';
import { isFinished, statusKind, statusWord, type Job } from '../../src-preload/job.ts';
import type { FilterQuery } from '../data/parse-filter.ts';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { retentionEndOf } from '../data/service-deadlines.ts';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { paletteText } from '../messages/commands/palette.ts';
import { compareJobs, goToJob, goToPlace } from '../navigation/go.ts';
import { isMainWindow } from '../navigation/route.ts';
import type { Command } from './command.ts';
import type { MoreJobs } from './found-jobs.ts';
import { matchLabel, rankCommands } from './match.ts';
import { noteCommand } from './recent-commands.ts';

/** A line of the palette: a command, or a job to open. */
export interface Line {
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

function Bold({ parts }: { parts: readonly string[] }): ReactNode {
  return parts.map((part, index) => (index % 2 === 1 ? <b key={index}>{part}</b> : part));
}

/** The commands that match a query, at most `max`, the best first. Without one all that are available. Pure. */
export function commandLines(commands: readonly Command[], group: string, query: string, max: number): Line[] {
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
      run: () => {
        noteCommand(command);
        command.run();
      },
    }));
}

/** A line for each job that was found. */
export function jobLines(jobs: readonly Job[], query: string, nowMs: number): Line[] {
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
export function allJobsLine({ total, isTotalCut, query }: MoreJobs): Line {
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

/** The way to what the other connections have. */
export function otherConnectionsLine(query: FilterQuery): Line {
  return {
    id: 'other-connections',
    group: isMainWindow() ? paletteText.jobs : paletteText.jobsInMain,
    icon: <Search size={16} />,
    label: paletteText.searchAllConnections,
    hint: '',
    keys: undefined,
    run: () => goToPlace({ view: 'all', endpointId: null }, query),
  };
}

/** A job whose id was pasted is mostly wanted beside the one that is open. */
export function compareLines(jobs: readonly Job[], open: Job | null): Line[] {
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
