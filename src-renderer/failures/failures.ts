import { create } from 'zustand';
import type {
  FailureCause,
  FailureOverview,
  FailuresByWorker,
  Mute,
  MuteChoice,
} from '../../src-preload/failure-cause.ts';
import { call } from '../bridge.ts';
import { orReport } from '../call-or-report.ts';
import { keptAnswer, makeStale, useCall } from '../data/calls.ts';
import { useCurrentConnection } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { toast, undoAction } from '../design/toast.tsx';
import { startOfDayBefore } from '../../src-preload/format.ts';
import { failureSum, muteResultText } from '../messages/failures/mute-results.ts';
import type { Grouping } from './cause-groups.ts';

/** The periods to choose from, in days including today. */
export const spans = ['1', '7', '30'] as const;
type Span = (typeof spans)[number];

/** What the failures pane shows. It is as the user left it when they come back, until the window closes. */
interface FailureView {
  span: Span;
  grouping: Grouping;
  /** The row whose cause is shown. Null, or a row that is not there: the first one. */
  chosenKey: string | null;
  /** The text of the filter. */
  typed: string;
  isMutedFolded: boolean;
  set: (change: Partial<Omit<FailureView, 'set'>>) => void;
}

export const useFailureView = create<FailureView>()((set) => ({
  span: '7',
  grouping: 'cause',
  chosenKey: null,
  typed: '',
  isMutedFolded: false,
  set,
}));

/** While older failures are being assigned to causes, the causes are read again this often. */
const sortingMs = 1_500;

/** The causes of the failures at the current connection. */
export function useCauses(span: Span): { overview: FailureOverview | null; sinceMs: number; problem: string | null } {
  const connection = useCurrentConnection();
  const nowMs = useNow(60_000);
  const sinceMs = startOfDayBefore(nowMs, Number(span) - 1);
  const input = connection === null ? null : { connectionId: connection.id, sinceMs };
  const isSorting = input !== null && (keptAnswer('failure:causes', input)?.unsorted ?? 0) > 0;
  const { data, error } = useCall('failure:causes', input, {
    isKeptByEvents: true,
    againAfterFailureMs: sortingMs,
    ...(isSorting && { everyMs: sortingMs }),
  });
  const overview = data === undefined ? null : withoutPastMutes(data, nowMs);
  return { overview, sinceMs, problem: error?.message ?? null };
}

/** The failures since then by worker; null while they are read. `sinceMs` null: not wanted. */
export function useFailuresByWorker(sinceMs: number | null): FailuresByWorker | null {
  const connection = useCurrentConnection();
  const input = connection === null || sinceMs === null ? null : { connectionId: connection.id, sinceMs };
  return useCall('failure:byWorker', input, { isKeptByEvents: true, againAfterFailureMs: sortingMs }).data ?? null;
}

/** `83 jobs, 7 causes in 7 days`: the failures of the period that is shown, without muted causes. Null while read. */
export function useFailureSum(): string | null {
  const span = useFailureView((state) => state.span);
  const { overview } = useCauses(span);
  if (overview === null) return null;
  const loud = overview.causes.filter(({ mute }) => mute === null);
  const jobs = loud.reduce((sum, cause) => sum + cause.jobs, 0);
  return failureSum(jobs, loud.length, span);
}

/** How many causes the last seven days have, without muted ones. */
export function useCauseCount(): number {
  return useCauses('7').overview?.causes.filter(({ mute }) => mute === null).length ?? 0;
}

/** Mutes or unmutes a cause, with a toast to undo it. Returns whether that was saved. */
export async function muteCause(
  { id, message, mute: former }: Pick<FailureCause, 'id' | 'message' | 'mute'>,
  mute: MuteChoice | null,
): Promise<boolean> {
  const result = await call('failure:mute', { id, mute });
  if (!result.ok) {
    toast((mute === null ? muteResultText.couldNotUnmute : muteResultText.couldNotMute)(result.failure.message));
    return false;
  }
  makeStale('failure:causes', null);
  toast((mute === null ? muteResultText.unmuted : muteResultText.muted)(message.slice(0, 60)), {
    slot: 'mute',
    action: undoAction(() => void undoMute(id, former)),
  });
  return true;
}

async function undoMute(id: number, former: Mute | null): Promise<void> {
  const mute =
    former === null
      ? null
      : { untilMs: former.untilMs, isUntilRise: former.risesAbove !== null, reason: former.reason };
  orReport(await call('failure:mute', { id, mute }));
  makeStale('failure:causes', null);
}

/** The causes as of now: a mute until a date ends then, without a new answer of the engine. */
export function withoutPastMutes(overview: FailureOverview, nowMs: number): FailureOverview {
  const isPast = (mute: Mute | null): boolean => mute !== null && mute.untilMs !== null && mute.untilMs <= nowMs;
  if (!overview.causes.some(({ mute }) => isPast(mute))) return overview;
  return {
    ...overview,
    causes: overview.causes.map((cause) => (isPast(cause.mute) ? { ...cause, mute: null } : cause)),
  };
}
