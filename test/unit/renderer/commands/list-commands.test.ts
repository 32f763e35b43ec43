import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ok } from '../../../../src-preload/failure.ts';
import { settingsDefaults, type SavedView } from '../../../../src-preload/settings.ts';
import { batchCommands, listCommands } from '../../../../src-renderer/commands/list-commands.tsx';
import { useRenameBatch, useCompareBatch } from '../../../../src-renderer/batches/batch-dialog-requests.ts';
import { useBatchList } from '../../../../src-renderer/data/batch-list.ts';
import { listenToSettings } from '../../../../src-renderer/data/change-settings.ts';
import { useJobs } from '../../../../src-renderer/data/jobs-store.ts';
import { listenToEngine, useSession } from '../../../../src-renderer/data/session-store.ts';
import { useViewNameDialog } from '../../../../src-renderer/navigation/saved-views.ts';
import { useShell } from '../../../../src-renderer/navigation/shell-store.ts';
import { answerCalls } from '../../../kit/answering-bridge.ts';
import { aBatch } from '../batches/a-batch.ts';
import { commandNamed, plainWindow, labelsOf } from './a-window.ts';

const day = 86_400_000;
const nightly = aBatch({ waiting: 4, failed: 1 }, { id: 'b3', name: 'Nightly', createdAtMs: day });
const paused = aBatch({ waiting: 2 }, { id: 'b2', name: 'Paused', isPaused: true, createdAtMs: day });
const over = aBatch({ completed: 3 }, { id: 'b1', name: 'Over', createdAtMs: 0 });

beforeEach(() => {
  plainWindow();
  useBatchList.setState({ byId: new Map([nightly, paused, over].map((batch) => [batch.id, batch])) });
});
afterEach(() => vi.unstubAllGlobals());

describe('the commands of batches', () => {
  it('are for those of the sidebar, by what each allows', () => {
    expect(labelsOf(batchCommands(2 * day))).toEqual([
      'Pause batch Nightly',
      'Discard unsent rows of batch Nightly',
      'Resubmit failed rows of batch Nightly',
      'Compare batch Nightly with another',
      'Rename batch Nightly',
      'Resume batch Paused',
      'Discard unsent rows of batch Paused',
      'Compare batch Paused with another',
      'Rename batch Paused',
    ]);
    expect(commandNamed(batchCommands(2 * day), 'Pause batch Nightly').hint).toBe('5 rows: 1 failed, 4 to send');
  });

  it('are those of the list for the batch that it shows, even an old one', () => {
    useJobs.setState({ place: { view: 'all', endpointId: null, batchId: 'b1' } });
    expect(labelsOf(listCommands())).toEqual(['Compare batch Over with another', 'Rename batch Over']);
    useJobs.setState({ place: { view: 'all', endpointId: null, batchId: 'b3' } });
    expect(labelsOf(listCommands())[0]).toBe('Pause batch Nightly');
    expect(labelsOf(batchCommands(2 * day))).not.toContain('Pause batch Nightly');
    useShell.getState().set({ pane: { kind: 'failures' } });
    expect(listCommands()).toEqual([]);
    expect(labelsOf(batchCommands(2 * day))).toContain('Pause batch Nightly');
  });

  it('do the same as the menu of the batch', async () => {
    const again = aBatch({ waiting: 1 }, { id: 'b4', name: 'Nightly, failed rows' });
    const { calls } = answerCalls({
      'batch:pause': () => Promise.resolve(ok({ ...nightly, isPaused: true })),
      'batch:resume': () => Promise.resolve(ok({ ...paused, isPaused: false })),
      'batch:submitFailed': () => Promise.resolve(ok({ kind: 'accepted', batch: again })),
    });
    const run = (label: string): void => commandNamed(batchCommands(2 * day), label).run();
    run('Pause batch Nightly');
    run('Resume batch Paused');
    expect(calls).toEqual(['batch:pause', 'batch:resume']);
    run('Compare batch Nightly with another');
    expect(useCompareBatch.getState().batchId).toBe('b3');
    run('Rename batch Nightly');
    expect(useRenameBatch.getState().batch?.id).toBe('b3');
    run('Resubmit failed rows of batch Nightly');
    // A double click, even if the first one is answered before the second.
    run('Resubmit failed rows of batch Nightly');
    await expect.poll(() => useJobs.getState().place.batchId).toBe('b4');
    expect(calls.filter((name) => name === 'batch:submitFailed')).toHaveLength(1);
  });
});

describe('the commands of saved views', () => {
  const view: SavedView = {
    id: 'v1',
    name: 'Slow',
    view: 'failed',
    endpointId: null,
    tokens: '',
    text: '',
    sort: null,
  };

  it('rename and delete the one that the list shows', async () => {
    const { listeners } = answerCalls({
      'settings:change': () => {
        const settings = { ...settingsDefaults, savedViews: [] };
        listeners['settings:changed']?.(settings);
        return Promise.resolve(ok(settings));
      },
    });
    listenToEngine();
    listenToSettings();
    useSession.setState({ settings: { ...settingsDefaults, savedViews: [view] } });
    expect(listCommands()).toEqual([]);
    useJobs.setState({ place: { view: 'failed', endpointId: null } });
    expect(labelsOf(listCommands())).toEqual(['Rename view Slow', 'Delete view Slow']);
    commandNamed(listCommands(), 'Rename view Slow').run();
    expect(useViewNameDialog.getState().subject).toEqual({ kind: 'rename', view });
    commandNamed(listCommands(), 'Delete view Slow').run();
    await expect.poll(() => useSession.getState().settings.savedViews).toEqual([]);
    expect(listCommands()).toEqual([]);
  });
});
