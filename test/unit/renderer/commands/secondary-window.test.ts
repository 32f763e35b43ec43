import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { calls } from '../../../../src-preload/contract.ts';
import { ok } from '../../../../src-preload/failure.ts';
import { goCommands } from '../../../../src-renderer/commands/go-commands.tsx';
import { jobMenu } from '../../../../src-renderer/commands/job-menus.tsx';
import { handleSecondaryWindowKey } from '../../../../src-renderer/windows/secondary-window.tsx';
import { runCommands } from '../../../../src-renderer/commands/run-commands.tsx';
import { mainScope } from '../../../../src-renderer/commands/palette-commands.tsx';
import { commandsOfJob, jobScope } from '../../../../src-renderer/commands/scope.ts';
import { queries } from '../../../../src-renderer/data/calls.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { addPending, dropPending } from '../../../../src-renderer/data/pending-deletions.ts';
import { useRenaming } from '../../../../src-renderer/job/job-title.tsx';
import { showAttempt } from '../../../../src-renderer/job/pane-state.ts';
import { openRoute } from '../../../../src-renderer/navigation/route.ts';
import { useShell } from '../../../../src-renderer/navigation/shell-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { acceptedAtMs, aJob } from '../job/a-job.ts';
import { commandNamed, labelsOf, plainWindow } from './a-window.ts';

const nowMs = acceptedAtMs + 5_000;
const job = aJob({ jobId: 'j1', phase: 'finished', status: 'COMPLETED', chunkCount: 1, attempt: 2 });

/** A key press without Alt, which marks nothing. */
const unmarked = { code: '', altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };

let opened: unknown[] = [];
beforeEach(() => {
  plainWindow();
  openRoute('/job/k1');
  opened = [];
  answerCalls({
    'window:openMain': (input) => {
      // As main checks it.
      opened.push(calls['window:openMain'].input.parse(input).destination);
      return Promise.resolve(ok(null));
    },
  });
});
afterEach(() => {
  openRoute('/');
  vi.unstubAllGlobals();
});

describe('in the window of a job', () => {
  const commandsHere = () => commandsOfJob(job, nowMs);

  it('all commands for the job are available, except those that act on its row', () => {
    const own = labelsOf(commandsHere());
    openRoute('/');
    const main = labelsOf(commandsHere());
    expect(main.filter((label) => !own.includes(label))).toEqual(['Open in its own window', 'Select']);
    expect(own.filter((label) => !main.includes(label))).toEqual(['Open in the main window']);
  });

  it('the menu beside its buttons renames it and shows the runs of its input, as in the main window', () => {
    const inMenu = () => jobMenu(job, nowMs).flatMap((entry) => (entry.kind === 'item' ? [entry.label] : []));
    expect(inMenu()).toEqual(expect.arrayContaining(['Rename', 'Runs of this input', 'Compare attempts', 'Tag']));
    expect(inMenu()).toContain('Open in the main window');
    openRoute('/');
    expect(inMenu()).not.toContain('Open in the main window');
  });

  it('commands for lists, panes and comparisons open the main window and leave this one unchanged', () => {
    const before = { pane: useShell.getState().pane, place: useJobs.getState().place };
    const run = (label: string): void =>
      commandNamed([...commandsHere(), ...goCommands(), ...runCommands()], label).run();
    for (const label of [
      'Open in the main window',
      'Runs of this input',
      'Compare attempts',
      'Failed',
      'Jobs of Studio',
      'Health of Studio',
      'Failures by cause',
      'Notifications',
    ])
      run(label);
    expect(opened).toEqual([
      { kind: 'job', key: 'k1' },
      { kind: 'list', view: 'all', endpointId: null, tokens: 'same-input:j1', text: '' },
      {
        kind: 'compare',
        sides: [
          { key: 'k1', attempt: 1 },
          { key: 'k1', attempt: 2 },
        ],
      },
      { kind: 'list', view: 'failed', endpointId: null, tokens: '', text: '' },
      { kind: 'list', view: 'all', endpointId: 'image', tokens: '', text: '' },
      { kind: 'health', connectionId: 'c1', endpointId: 'image' },
      { kind: 'pane', pane: 'failures' },
      { kind: 'notifications' },
    ]);
    expect({ pane: useShell.getState().pane, place: useJobs.getState().place }).toEqual(before);
  });

  it('the runs of an input are searched in all connections, if the window shows another one', () => {
    commandNamed(commandsOfJob(aJob({ jobId: 'j1', connectionId: 'c2' }), nowMs), 'Runs of this input').run();
    expect(opened).toMatchObject([{ tokens: 'connection:any same-input:j1' }]);
  });

  it('nothing is offered that acts on the list, the sidebar or the places of the main window', () => {
    const everywhere = labelsOf([...runCommands(), ...goCommands()]);
    openRoute('/');
    const main = labelsOf([...runCommands(), ...goCommands()]);
    const missing = main.filter((label) => !everywhere.includes(label));
    expect(missing).toEqual(
      expect.arrayContaining(['Filter the list', 'Hide sidebar', 'Compact rows', 'Export the list as CSV']),
    );
    expect(
      missing.filter((label) => !/list|column|sidebar|rows|view|queue|by id|^(?:Back|Forward)$/.test(label)),
    ).toEqual([]);
  });
});

describe('the keys of a window of a job', () => {
  const press = (chord: string): boolean => handleSecondaryWindowKey(jobScope(job, null), chord, unmarked);

  it('run the commands of its job, and no key that needs a list', () => {
    expect(press('F2')).toBe(true);
    expect(useRenaming.getState().jobKey).toBe('k1');
    useRenaming.getState().end();
    expect(press('T')).toBe(true);
    expect(useShell.getState().tagDialogKeys).toEqual(['k1']);
    expect(press('?')).toBe(true);
    expect(useShell.getState().areShortcutsOpen).toBe(true);
    expect(['X', 'Shift+↵', '/', 'Ctrl+B', 'J'].filter(press)).toEqual([]);
    // The pane saves what it shows.
    expect(press('Ctrl+S')).toBe(false);
  });

  it('do nothing to a job that is being deleted', () => {
    expect(handleSecondaryWindowKey(jobScope(null, null), 'T', unmarked)).toBe(false);
    expect(useShell.getState().tagDialogKeys).toBeNull();
  });
});

it('no command acts on a job of the main window that is being deleted, although it is shown with its undo', () => {
  openRoute('/');
  useJobs.setState({ selectedKey: 'k1', isDetailOpen: true });
  queries.setQueryData(['job:get', { key: 'k1' }], { job });
  expect(mainScope.openJob()).toMatchObject({ key: 'k1' });
  addPending([job]);
  expect(mainScope.openJob()).toBeNull();
  dropPending(['k1']);
  useJobs.setState({ selectedKey: null, isDetailOpen: false });
});

it('the copied output is that of the shown attempt', async () => {
  const retried = aJob({ attempt: 2, outputBytes: 2 });
  const read: unknown[] = [];
  answerCalls({
    'app:copyOutput': ({ attempt }) => {
      read.push(attempt);
      return Promise.resolve(ok({ isEmpty: false }));
    },
  });
  const copy = (): void => commandNamed(commandsOfJob(retried, nowMs), 'Copy output').run();
  const end = showAttempt('k1', 1);
  copy();
  await expect.poll(() => read).toEqual([1]);
  end();
});
