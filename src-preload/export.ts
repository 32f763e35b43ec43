import type { z } from 'zod';
import type { exportFormat, exportSource } from './export-schema.ts';

/**
 * The formats of an export: one JSON object per line, or comma-separated values with a header. A dataset is NDJSON for
 * an evaluation or a training: input, output and what the user said of it. A report is one HTML page including its
 * images.
 */
export type ExportFormat = z.infer<typeof exportFormat>;

/** Which jobs: some in the given order, those of a filter in the order of its list, or the rows of a batch in order. */
export type ExportSource = z.infer<typeof exportSource>;

/** The form of a window's request. */
export type WantedExport = z.input<typeof exportSource>;

/** A file that was written. */
export interface Exported {
  path: string;
  jobs: number;
}
