import type { Connection } from '../../src-preload/connection.ts';
import type { Job } from '../../src-preload/job.ts';
import type { Command } from './command.ts';
import { jobCommands } from './job-commands.tsx';
import { openJobCommands } from './open-job-commands.tsx';

/** Commands under a heading of the palette. Null: that of the job in view. */
export interface CommandSection {
  title: string | null;
  commands: readonly Command[];
}

/** What the palette and the keys of a window act on, besides what is the same in every window. */
export interface CommandScope {
  /** The job in view, or null. */
  openJob: () => Job | null;
  /** The connection that the window is about, or null. */
  connection: () => Connection | null;
  /** The commands for what the window shows, in order. `job` is the job in view unless the user left it. */
  sections: (job: Job | null, nowMs: number) => readonly CommandSection[];
  /** Whether it is that of a sheet over the window. All its commands are shown then, before what leads elsewhere. */
  isSheet: boolean;
  /** Runs what leads elsewhere, after the sheet is closed. */
  leaveFor: (run: () => void) => void;
}

/** The scope is that of the window itself. */
export const noSheet: Pick<CommandScope, 'isSheet' | 'leaveFor'> = { isSheet: false, leaveFor: (run) => run() };

/** All commands for the job in view. */
export function commandsOfJob(job: Job, nowMs: number): readonly Command[] {
  return [...jobCommands(job, nowMs), ...openJobCommands(job, nowMs)];
}

/** The scope of a window for one job. Null while there is none, or it is being deleted. */
export function jobScope(job: Job | null, connection: Connection | null): CommandScope {
  return {
    ...noSheet,
    openJob: () => job,
    connection: () => connection,
    sections: (subject, nowMs) => (subject === null ? [] : [{ title: null, commands: commandsOfJob(subject, nowMs) }]),
  };
}

/** The scope of a window without a job: its own commands under one heading. */
export function plainScope(connection: Connection | null, section: () => CommandSection): CommandScope {
  return { ...noSheet, openJob: () => null, connection: () => connection, sections: () => [section()] };
}
