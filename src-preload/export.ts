import type { z } from 'zod';
import type { exportFormat, exportSource } from './export-schema.ts';

/**
 * How jobs are written to a file: one JSON object a line, or comma-separated values with a line of names. A dataset is
 * NDJSON of what an evaluation or a training reads: input, output and what the user said of it. A report is one HTML
 * page with its images in it.
 */
export type ExportFormat = z.infer<typeof exportFormat>;

/** Which jobs: some in their order, those of a filter in the order of its list, or the rows of a batch in theirs. */
export type ExportSource = z.infer<typeof exportSource>;

/** As a window asks for it. */
export type WantedExport = z.input<typeof exportSource>;

/** A file that was written. */
export interface Exported {
  path: string;
  jobs: number;
}
