import { BookmarkMinus, CircleStop, Columns2, Pause, Play, Repeat2, SquarePen } from 'lucide-react';
import { failedRows, type Batch } from '../../src-preload/batch.ts';
import type { SavedView } from '../../src-preload/settings.ts';
import { setBatchPaused, submitFailedAgain } from '../batches/batch-actions.ts';
import { knownBatches, namedBatches } from '../batches/batches.ts';
import { useCompareBatch, useRenameBatch } from '../batches/batch-dialog-requests.ts';
import { discardRows, isDiscarding } from '../batches/discard-rows.ts';
import { outcomeText } from '../batches/outcome-bar.tsx';
import { useJobs } from '../data/jobs-store.ts';
import { useSession } from '../data/session-store.ts';
import { batchCommandText, viewCommandText } from '../messages/commands/palette.ts';
import { deleteView, savedViewOn, useViewNameDialog } from '../navigation/saved-views.ts';
import { useShell } from '../navigation/shell-store.ts';
import { commandsHere, type Command } from './command.ts';

/** Commands for what the list on screen shows: its batch and its saved view. */
export function listCommands(): Command[] {
  if (useShell.getState().pane.kind !== 'jobs') return [];
  const { place, query } = useJobs.getState();
  const open = knownBatches().find(({ id }) => id === place.batchId);
  return [
    ...(open === undefined ? [] : commandsOfBatch(open)),
    ...viewCommands(savedViewOn(useSession.getState().settings, place, query)),
  ];
}

/** Commands for the other batches of the sidebar: those that are not over, and the newest of the last day. */
export function batchCommands(nowMs: number): Command[] {
  const isListShown = useShell.getState().pane.kind === 'jobs';
  const openId = isListShown ? useJobs.getState().place.batchId : undefined;
  return namedBatches(knownBatches(), nowMs)
    .filter(({ id }) => id !== openId)
    .flatMap((batch) => commandsHere(commandsOfBatch(batch)));
}

function commandsOfBatch(batch: Batch): Command[] {
  const common = { group: 'go', hint: outcomeText(batch) } as const;
  return [
    ...(batch.counts.waiting === 0 || isDiscarding(batch.id) ? [] : unsentCommands(batch)),
    ...(failedRows(batch) === 0
      ? []
      : [
          {
            ...common,
            id: `batch.resubmit.${batch.id}`,
            ...batchCommandText.resubmitFailed(batch.name),
            icon: <Repeat2 />,
            run: () => void submitFailedAgain(batch),
          },
        ]),
    {
      ...common,
      id: `batch.compare.${batch.id}`,
      ...batchCommandText.compare(batch.name),
      icon: <Columns2 />,
      only: 'main',
      run: () => useCompareBatch.getState().ask(batch),
    },
    {
      ...common,
      id: `batch.rename.${batch.id}`,
      ...batchCommandText.rename(batch.name),
      icon: <SquarePen />,
      only: 'main',
      run: () => useRenameBatch.getState().ask(batch),
    },
  ];
}

/** Commands for a batch with rows that are not sent yet. */
function unsentCommands(batch: Batch): Command[] {
  const common = { group: 'go', hint: outcomeText(batch) } as const;
  return [
    batch.isPaused
      ? {
          ...common,
          id: `batch.resume.${batch.id}`,
          ...batchCommandText.resume(batch.name),
          icon: <Play />,
          run: () => void setBatchPaused(batch, false),
        }
      : {
          ...common,
          id: `batch.pause.${batch.id}`,
          ...batchCommandText.pause(batch.name),
          icon: <Pause />,
          run: () => void setBatchPaused(batch, true),
        },
    {
      ...common,
      id: `batch.discard.${batch.id}`,
      ...batchCommandText.discardUnsent(batch.name),
      icon: <CircleStop />,
      run: () => void discardRows(batch),
    },
  ];
}

function viewCommands(view: SavedView | null): Command[] {
  if (view === null) return [];
  return [
    {
      id: 'view.rename',
      group: 'go',
      ...viewCommandText.rename(view.name),
      icon: <SquarePen />,
      run: () => useViewNameDialog.getState().setSubject({ kind: 'rename', view }),
    },
    {
      id: 'view.delete',
      group: 'go',
      ...viewCommandText.delete(view.name),
      icon: <BookmarkMinus />,
      run: () => void deleteView(view),
    },
  ];
}
