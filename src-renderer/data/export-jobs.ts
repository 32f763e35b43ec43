import type { ExportFormat, WantedExport } from '../../src-preload/export.ts';
import { call } from '../bridge.ts';
import { toast } from '../design/toast.tsx';
import { exportedText } from '../messages/data/changes.ts';

/** Asks for a file, then exports the jobs to it. */
export async function exportJobs(source: WantedExport, format: ExportFormat): Promise<void> {
  const result = await call('job:export', { source, format });
  if (!result.ok) toast(result.failure.message, { glyph: 'fail' });
  else if (result.value !== null) toast(exportedText(result.value.jobs, result.value.path), { glyph: 'done' });
}
