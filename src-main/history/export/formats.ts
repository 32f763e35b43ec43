import type { ExportFormat } from '../../../src-preload/export.ts';
import { reportFoot } from '../../../src-preload/report-page.ts';
import type { ExportedJob } from './exported-job.ts';
import { csvHeader, csvLine, datasetLine, jsonLine } from './lines.ts';
import { reportHead, reportSection } from './report.ts';

/** How a file of one format is written. */
interface FormatWriter {
  /** What comes before the first job. `title` and `atMs` (when it was written) appear in a report. */
  head: (title: string, atMs: number) => string;
  /** A job: one line, one record or one section. Its stream is read page by page, as the parts are taken. */
  parts: (exported: ExportedJob) => Iterable<string>;
  /** What comes after the last job. */
  foot: string;
}

const noHead = (): string => '';

/** Every format, with what writes it. */
export const formatWriters: Readonly<Record<ExportFormat, FormatWriter>> = {
  ndjson: { head: noHead, parts: jsonLine, foot: '' },
  csv: { head: csvHeader, parts: csvLine, foot: '' },
  dataset: { head: noHead, parts: datasetLine, foot: '' },
  report: { head: reportHead, parts: (exported) => [reportSection(exported)], foot: reportFoot },
};
