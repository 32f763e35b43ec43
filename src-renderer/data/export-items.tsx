import { FileJson, FileJson2, FileSpreadsheet, FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ExportFormat, WantedExport } from '../../src-preload/export.ts';
import type { MenuEntry } from '../design/menu.tsx';
import { exportTitles } from '../messages/data/changes.ts';
import { exportJobs } from './export-jobs.ts';

/** The formats that jobs can be exported to. */
export const exportFormats: readonly { format: ExportFormat; label: string; icon: ReactNode }[] = [
  { format: 'report', label: exportTitles.report, icon: <FileText /> },
  { format: 'ndjson', label: exportTitles.ndjson, icon: <FileJson /> },
  { format: 'csv', label: exportTitles.csv, icon: <FileSpreadsheet /> },
  { format: 'dataset', label: exportTitles.dataset, icon: <FileJson2 /> },
];

/** The formats as menu entries. */
export function exportItems(source: WantedExport): MenuEntry[] {
  return exportFormats.map(({ format, label, icon }) => ({
    kind: 'item',
    label,
    icon,
    onSelect: () => void exportJobs(source, format),
  }));
}
