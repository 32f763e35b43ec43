import { Copy } from 'lucide-react';
import type { CostRate } from '../../../src-preload/cost.ts';
import { call } from '../../bridge.ts';
import { orReport } from '../../call-or-report.ts';
import type { MenuEntry } from '../../design/menu.tsx';
import { toast } from '../../design/toast.tsx';
import { batchTableText } from '../../messages/jobs/batch-table.ts';
import { textOf, type BatchColumn, type BatchRow } from './batch-columns.ts';

/** What can be done with a cell, before what can be done with its job. */
export function cellEntries(
  column: BatchColumn | undefined,
  row: BatchRow | undefined,
  rates: readonly CostRate[],
): MenuEntry[] {
  const text = column === undefined || row === undefined ? '' : textOf(column, row, rates);
  if (text === '') return [];
  return [
    { kind: 'item', label: batchTableText.copyCell, icon: <Copy />, onSelect: () => void copy(text) },
    { kind: 'separator' },
  ];
}

async function copy(text: string): Promise<void> {
  const { ok } = orReport(await call('app:copyText', { text }));
  if (ok) toast(batchTableText.copied, { glyph: <Copy size={16} /> });
}
