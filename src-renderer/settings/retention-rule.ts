import type { RetentionRule } from '../../src-preload/settings.ts';
import { call } from '../bridge.ts';
import { orReport } from '../call-or-report.ts';
import { makeStale } from '../data/calls.ts';
import { changeSettings } from '../data/change-settings.ts';
import { toast } from '../design/toast.tsx';

/**
 * Uses a retention rule that the user has confirmed; `jobs`: for how many. If main refuses it nothing else is done, and
 * a toast says why: the clock was confirmed for this rule only.
 */
export async function applyRule(rule: RetentionRule, jobs: number): Promise<void> {
  const failure = await changeSettings({ retention: rule });
  if (failure !== null) return toast(failure.message);
  // The user has read how many jobs that concerns as of the date of this computer.
  if (jobs === 0) return;
  orReport(await call('storage:confirmClock', undefined));
  makeStale('storage:clockDoubt', undefined);
}
