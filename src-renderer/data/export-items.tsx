import { FileJson, FileJson2, FileSpreadsheet, FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Exported, ExportFormat, WantedExport } from '../../src-preload/export.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { MenuEntry } from '../design/menu/menu.tsx';
import { exportTitles, exportedText } from '../messages/data/changes.ts';
import { call } from '../bridge.ts';
import { toast } from '../design/toast.tsx';

const icons: Readonly<Record<ExportFormat, ReactNode>> = {
  report: <FileText />,
  ndjson: <FileJson />,
  csv: <FileSpreadsheet />,
  dataset: <FileJson2 />,
};

/** The formats that jobs can be exported to, in the order of the menus. */
export const exportFormats = Object.keys(icons)
  .filter((name): name is ExportFormat => Object.hasOwn(icons, name))
  .map((format) => ({ format, label: exportTitles[format], icon: icons[format] }));

/** The formats as menu entries. */
export function exportItems(source: WantedExport): MenuEntry[] {
  return exportFormats.map(({ format, label, icon }) => ({
    kind: 'item',
    label,
    icon,
    onSelect: () => void exportJobs(source, format),
  }));
}

/** Asks for a file, then exports the jobs to it. */
export async function exportJobs(source: WantedExport, format: ExportFormat): Promise<void> {
  reportExport(await call('job:export', { source, format }));
}

/** A toast about the written file, or why there is none. Nothing if the user cancelled. */
export function reportExport(result: Result<Exported | null>): void {
  if (!result.ok) toast(result.failure.message, { glyph: 'fail' });
  else if (result.value !== null) toast(exportedText(result.value.jobs, result.value.path), { glyph: 'done' });
}
