import { create } from 'zustand';
import { call } from '../bridge.ts';
import { hint } from '../call-or-report.ts';
import type { Command } from './command.ts';

const slot = 'recent-commands';
const maxKept = 20;
/** The first Enter in the palette must not end Jobdeck or its sandbox. */
const neverRecent: ReadonlySet<string> = new Set(['app.quit', 'run.sandbox-stop']);

interface RecentCommands {
  /** Ids of the commands that were last run from the palette, the newest first. */
  ids: readonly string[];
}

export const useRecentCommands = create<RecentCommands>(() => ({ ids: [] }));

/** Reads what was run in earlier sessions. It is a convenience: what cannot be read is no problem to report. */
export async function loadRecentCommands(): Promise<void> {
  const saved = await call('draft:load', { slot });
  if (!saved.ok || saved.value === null) return;
  const ids = readIds(saved.value.text);
  useRecentCommands.setState((state) => ({ ids: [...new Set([...state.ids, ...ids])].slice(0, maxKept) }));
}

/**
 * Notes that a command was run from the palette. Of those that act on a job nothing is noted: the next Enter in the
 * palette must not act on another one.
 */
export function noteCommand({ id, group }: Pick<Command, 'id' | 'group'>): void {
  if (group === 'job' || neverRecent.has(id)) return;
  const ids = withRecent(useRecentCommands.getState().ids, id);
  useRecentCommands.setState({ ids });
  hint('draft:save', { slot, text: JSON.stringify(ids) });
}

/** The ids with this one as the newest. Pure. */
export function withRecent(ids: readonly string[], id: string): string[] {
  return [id, ...ids.filter((each) => each !== id)].slice(0, maxKept);
}

/** The commands that were run last and can be run now, at most `max`, the newest first. Pure. */
export function recentOf<T extends Command>(commands: readonly T[], ids: readonly string[], max: number): T[] {
  const byId = new Map(commands.map((command) => [command.id, command]));
  return ids
    .flatMap((id) => byId.get(id) ?? [])
    .filter(({ refusal, group }) => refusal === undefined && group !== 'job')
    .slice(0, max);
}

function readIds(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
