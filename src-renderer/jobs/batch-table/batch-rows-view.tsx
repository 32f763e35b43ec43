import type { Batch } from '../../../src-preload/batch.ts';
import type { RowMenu } from '../job-list-view.tsx';
import { BatchImages } from './batch-images.tsx';
import { BatchTable } from './batch-table.tsx';
import { useBatchRows } from './use-batch-rows.ts';

interface BatchRowsViewProps {
  batch: Batch;
  view: 'table' | 'images';
  menuOf: RowMenu;
}

/** The rows of a batch as a table or as images. Both are made of the same rows, which a change of the view keeps. */
export function BatchRowsView({ batch, view, menuOf }: BatchRowsViewProps) {
  const rows = useBatchRows(batch);
  return view === 'table' ? <BatchTable rows={rows} menuOf={menuOf} /> : <BatchImages rows={rows} menuOf={menuOf} />;
}
