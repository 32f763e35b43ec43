import type { ExportFormat, WantedExport } from '../../src-preload/export.ts';
import { call } from '../bridge.ts';
import { formatCountOf } from '../../src-preload/format.ts';
import { toast } from '../design/toast.tsx';

/** Asks for a file, then exports the jobs to it. */
export async function exportJobs(source: WantedExport, format: ExportFormat): Promise<void> {
  const result = await call('job:export', { source, format });
  if (!result.ok) toast(result.failure.message, { glyph: 'fail' });
  else if (result.value !== null)
    toast(`${formatCountOf(result.value.jobs, 'job')} written to ${result.value.path}`, { glyph: 'done' });
}
