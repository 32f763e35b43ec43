import { FileJson, FileJson2, FileSpreadsheet, FileText } from 'lucide-react';
import type { WantedExport } from '../../src-preload/export.ts';
import type { MenuEntry } from '../design/menu.tsx';
import { exportJobs } from './export-jobs.ts';

/** The formats that jobs can be exported to, as menu entries. */
export function exportItems(source: WantedExport): MenuEntry[] {
  return [
    {
      kind: 'item',
      label: 'Export as HTML report',
      icon: <FileText />,
      onSelect: () => void exportJobs(source, 'report'),
    },
    {
      kind: 'item',
      label: 'Export as NDJSON',
      icon: <FileJson />,
      onSelect: () => void exportJobs(source, 'ndjson'),
    },
    {
      kind: 'item',
      label: 'Export as CSV',
      icon: <FileSpreadsheet />,
      onSelect: () => void exportJobs(source, 'csv'),
    },
    {
      kind: 'item',
      label: 'Export as dataset',
      icon: <FileJson2 />,
      onSelect: () => void exportJobs(source, 'dataset'),
    },
  ];
}
