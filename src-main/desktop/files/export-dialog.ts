import { app } from 'electron';
import { join } from 'node:path';
import type { TableFormat } from '../../../src-preload/batch-table.ts';
import type { Exported, ExportFormat } from '../../../src-preload/export.ts';
import { ok, type Result } from '../../../src-preload/failure.ts';
import { exportTypeNames, saveDialogText, tableTypeNames } from '../../messages/desktop/calls.ts';
import type { ReportIfGone } from '../windows/report-if-gone.ts';
import { askWhereToSave } from './save-file.ts';
import { fileNameOf } from './file-name.ts';

/** A file that is offered in the dialog, without its ending. */
interface OfferedFile {
  name: string;
  typeName: string;
  extensions: string[];
}

const exportExtensions = {
  ndjson: ['ndjson', 'jsonl'],
  csv: ['csv'],
  dataset: ['ndjson', 'jsonl'],
  report: ['html'],
} satisfies Record<ExportFormat, string[]>;
const tableExtensions = {
  csv: ['csv'],
  ndjson: ['ndjson', 'jsonl'],
  json: ['json'],
} satisfies Record<TableFormat, string[]>;

/** The file of an export of jobs. */
export function exportFile(name: string, format: ExportFormat): OfferedFile {
  return { name, typeName: exportTypeNames[format], extensions: exportExtensions[format] };
}

/** The file of a saved table. */
export function tableFile(name: string, format: TableFormat): OfferedFile {
  return { name, typeName: tableTypeNames[format], extensions: tableExtensions[format] };
}

/** Returns what asks where to write a file, then writes it. Null if the user cancels. */
export function createExportDialog(reportIfGone: ReportIfGone) {
  return (
    windowId: number,
    { name, typeName, extensions }: OfferedFile,
    write: (path: string) => Promise<Result<Exported>>,
  ): Promise<Result<Exported | null>> => {
    const options = {
      title: saveDialogText.exportTitle,
      defaultPath: join(app.getPath('downloads'), `${fileNameOf(name)}.${extensions[0]}`),
      filters: [{ name: typeName, extensions }],
    };
    return reportIfGone('export', windowId, async (window) => {
      const path = await askWhereToSave(window, options);
      return path === null ? ok(null) : await write(path);
    });
  };
}
