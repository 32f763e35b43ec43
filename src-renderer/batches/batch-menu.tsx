import { CheckCheck, CircleStop, Columns2, ListChecks, Pause, Play, Repeat2, TextCursorInput } from 'lucide-react';
import { failedRows, type Batch } from '../../src-preload/batch.ts';
import { exportItems } from '../data/export-items.tsx';
import type { MenuEntry } from '../design/menu/menu.tsx';
import { batchActionText } from '../messages/batches.ts';
import { goToPlace } from '../navigation/go.ts';
import { markBatchSeen, setBatchPaused, submitFailedAgain } from './batch-actions.ts';
import { useCompareBatch, useRenameBatch } from './batch-dialog-requests.ts';
import { discardRows, isDiscarding } from './discard-rows.ts';

/** The menu of a batch, in the sidebar and on its strip. */
export function batchMenu(batch: Batch): MenuEntry[] {
  const isUnsent = batch.counts.waiting > 0 && !isDiscarding(batch.id);
  return [
    {
      kind: 'item',
      label: batchActionText.open,
      icon: <ListChecks />,
      onSelect: () => goToPlace({ view: 'all', endpointId: null, batchId: batch.id }),
    },
    {
      kind: 'item',
      label: batchActionText.rename,
      icon: <TextCursorInput />,
      onSelect: () => useRenameBatch.getState().ask(batch),
    },
    ...(isUnsent ? [batch.isPaused ? resume(batch) : pause(batch)] : []),
    {
      kind: 'item',
      label: batchActionText.markSeen,
      icon: <CheckCheck />,
      onSelect: () => void markBatchSeen(batch),
    },
    ...(failedRows(batch) === 0
      ? []
      : [
          {
            kind: 'item' as const,
            label: batchActionText.resubmitFailed,
            icon: <Repeat2 />,
            onSelect: () => void submitFailedAgain(batch),
          },
        ]),
    {
      kind: 'item',
      label: batchActionText.compare,
      icon: <Columns2 />,
      onSelect: () => useCompareBatch.getState().ask(batch),
    },
    { kind: 'separator' },
    ...exportItems({ kind: 'batch', id: batch.id }),
    ...(isUnsent ? discard(batch) : []),
  ];
}

function pause(batch: Batch): MenuEntry {
  return {
    kind: 'item',
    label: batchActionText.pause,
    icon: <Pause />,
    onSelect: () => void setBatchPaused(batch, true),
  };
}

function resume(batch: Batch): MenuEntry {
  return {
    kind: 'item',
    label: batchActionText.resume,
    icon: <Play />,
    onSelect: () => void setBatchPaused(batch, false),
  };
}

function discard(batch: Batch): MenuEntry[] {
  return [
    { kind: 'separator' },
    {
      kind: 'item',
      label: batchActionText.discard,
      icon: <CircleStop />,
      isDanger: true,
      onSelect: () => void discardRows(batch),
    },
  ];
}
