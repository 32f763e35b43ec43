import { create } from 'zustand';
import { maxBinned, type BinnedJob, type BinPage, type BinPlace, type BinUse } from '../../src-preload/bin.ts';
import { call, on } from '../bridge.ts';
import { createThrottle } from '../data/throttle.ts';

/** How many jobs are read at a time. */
const pageJobs = 100;
const readAgainEveryMs = 300;

/** The deleted jobs as they were last read. */
export interface BinList extends BinUse {
  rows: readonly BinnedJob[];
  next: BinPlace | null;
}

interface BinState {
  /** Null until they are first read. */
  list: BinList | null;
  /** Why the last read failed, or null. */
  problem: string | null;
}

export const useBin = create<BinState>(() => ({ list: null, problem: null }));

/** Reads the list, as far down as it was read before. */
export async function readBin(): Promise<void> {
  const wanted = Math.min(maxBinned, Math.max(pageJobs, useBin.getState().list?.rows.length ?? 0));
  const page = await call('bin:list', { after: null, limit: wanted });
  if (page.ok) useBin.setState({ list: page.value, problem: null });
  else useBin.setState({ problem: page.failure.message });
}

/** Reads the next jobs of the list. */
export async function readMoreOfBin(): Promise<void> {
  const { list } = useBin.getState();
  if (list === null || list.next === null) return;
  const page = await call('bin:list', { after: list.next, limit: pageJobs });
  if (!page.ok) return useBin.setState({ problem: page.failure.message });
  // The list may have been read again meanwhile.
  if (useBin.getState().list === list) useBin.setState({ list: joined(list, page.value), problem: null });
}

function joined(list: BinList, { rows, ...page }: BinPage): BinList {
  return { ...page, rows: [...list.rows, ...rows] };
}

/** Keeps the list up to date while it is shown. Returns the function that stops that. */
export function followBin(): () => void {
  const readSoon = createThrottle(readAgainEveryMs, () => void readBin());
  readSoon();
  return on('bin:changed', readSoon);
}
