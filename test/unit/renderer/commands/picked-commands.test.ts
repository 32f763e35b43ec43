import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import type { WantedExport } from '../../../../src-preload/export.ts';
import type { Job } from '../../../../src-preload/job.ts';
import { pickedCommands } from '../../../../src-renderer/commands/palette-commands.tsx';
import { rowMenu } from '../../../../src-renderer/commands/job-menus.tsx';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { useToasts } from '../../../../src-renderer/design/toast.tsx';
import { useJudgementRequest } from '../../../../src-renderer/navigation/open-requests.ts';
import { useShell } from '../../../../src-renderer/navigation/shell-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { jobOf, running } from '../jobs/job-of.ts';
import { commandNamed, plainWindow, labelsOf } from './a-window.ts';

const nowMs = 100_000;
/** A failed job can be retried as long as the service knows it. */
const failed = { status: 'FAILED', retentionEndsAtMs: nowMs + 60_000 } as const;

let exported: WantedExport[] = [];
let retried: string[] = [];
beforeEach(() => {
  vi.useFakeTimers({ now: nowMs, toFake: ['Date'] });
  plainWindow();
  exported = [];
  retried = [];
  answerCalls({
    'job:retry': ({ key }) => {
      retried.push(key);
      return Promise.resolve(ok(jobOf(Number(key))));
    },
    'job:delete': ({ keys }) => Promise.resolve(ok({ deleted: keys, kept: [], isBinRefused: false })),
    'job:export': ({ source }) => {
      exported.push(source);
      return Promise.resolve(ok(null));
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

let createdAtMs = 0;
/** A job that no other test has, because a deleted one does not come back. */
function another(patch: Partial<Job> = {}): Job {
  createdAtMs += 1_000;
  return jobOf(createdAtMs, patch);
}

function pick(...jobs: Job[]): void {
  useJobs.getState().apply(jobs);
  useJobs.getState().pick(jobs.map(({ key }) => key));
}

describe('the commands for selected jobs', () => {
  it('are those that apply to some of them, each with their number', () => {
    pick(another(failed), another(failed), another(), another(running), another(running));
    expect(labelsOf(pickedCommands(nowMs))).toEqual([
      'Retry 2 selected jobs',
      'Resubmit 5 selected jobs',
      'Cancel 2 selected jobs',
      'Compare 5 selected jobs',
      'Mark and label 5 selected jobs',
      'Tag 5 selected jobs',
      'Copy 5 selected jobs as dataset',
      'Export 5 selected jobs as HTML report',
      'Export 5 selected jobs as NDJSON',
      'Export 5 selected jobs as CSV',
      'Export 5 selected jobs as dataset',
      'Delete 3 selected jobs',
    ]);
    expect(commandNamed(pickedCommands(nowMs), 'Retry 2 selected jobs').hint).toBe('of 5 selected');
    expect(commandNamed(pickedCommands(nowMs), 'Tag 5 selected jobs').hint).toBe('');
    expect(commandNamed(pickedCommands(nowMs), 'Compare 5 selected jobs').refusal).toBe(
      'Select two to four jobs to compare',
    );
  });

  it('act on the jobs that they count', async () => {
    const [one, two, active] = [another(failed), another(failed), another(running)];
    pick(one, active, two);
    const run = (label: string): void => commandNamed(pickedCommands(nowMs), label).run();
    run('Retry 2 selected jobs');
    await expect.poll(() => retried.toSorted()).toEqual([one.key, two.key]);
    run('Tag 3 selected jobs');
    expect(useShell.getState().tagDialogKeys?.toSorted()).toEqual([one.key, two.key, active.key]);
    run('Mark and label 3 selected jobs');
    expect(useJudgementRequest.getState().subject?.jobs).toHaveLength(3);
    run('Export 3 selected jobs as CSV');
    await expect.poll(() => exported).toMatchObject([{ kind: 'jobs', keys: { length: 3 } }]);
    run('Delete 2 selected jobs');
    await expect.poll(() => useToasts.getState().items.at(-1)?.message).toBe('Deleted 2 jobs');
    expect([...useJobs.getState().pickedKeys]).toEqual([active.key]);
  });

  it('ask before several jobs are cancelled', () => {
    const [one, two] = [another(running), another(running)];
    pick(one, two, another());
    commandNamed(pickedCommands(nowMs), 'Cancel 2 selected jobs').run();
    expect(useShell.getState().cancelDialogKeys).toEqual([one.key, two.key]);
  });

  it('are none while the list is not shown or nothing is selected, except how to compare', () => {
    expect(pickedCommands(nowMs)).toMatchObject([{ refusal: 'Select two to four jobs first' }]);
    pick(another(), another());
    expect(commandNamed(pickedCommands(nowMs), 'Compare 2 selected jobs').refusal).toBeUndefined();
    useShell.getState().set({ pane: { kind: 'pods' } });
    expect(labelsOf(pickedCommands(nowMs))).toEqual(['Compare the selected jobs']);
  });
});

it('the menu of a selected row has the same actions, and those that apply to none with the reason', () => {
  const [one, two] = [another(), another(running)];
  pick(one, two);
  const items = rowMenu(one.key, null).flatMap((entry) => (entry.kind === 'item' ? [entry] : []));
  expect(items.slice(0, 4).map(({ label, disabledReason }) => disabledReason ?? label)).toEqual([
    'None of the selected jobs can be retried',
    'Resubmit',
    'Cancel 1',
    'Compare',
  ]);
  expect(items.at(-1)?.label).toBe('Clear selection');
});
