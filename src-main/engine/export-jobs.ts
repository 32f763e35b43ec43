import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import type { EndpointCost } from '../../src-preload/cost.ts';
import type { Exported, ExportFormat, ExportSource } from '../../src-preload/export.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import { formatWriters } from '../history/export/formats.ts';
import { tableFoot, tableHead, type SavedTable } from '../history/export/table.ts';
import type { ExportPageSource } from '../history/export/write-page.ts';
import type { History } from '../history/history.ts';
import { atUsersPlace, putWholeFile, unfinishedEnding, writeProblem } from '../whole-file.ts';
import { reportText } from '../messages/report.ts';
import { saveText } from '../messages/engine.ts';

export interface ExportParts {
  history: Pick<History, 'writeExportPage'>;
  /** The history's file. Pages are written beside it first. */
  historyPath: string;
  connections: () => Promise<Result<readonly { id: string; name: string }[]>>;
  costs: () => EndpointCost[];
}

interface WantedFile {
  source: ExportSource;
  format: ExportFormat | SavedTable;
  path: string;
  /** The heading of a report. */
  title: string;
  /** The current time. */
  atMs: number;
}

/**
 * Writes jobs to a file, page by page. The file is written beside its place and renamed at the end, so that it is
 * complete or does not exist.
 *
 * The history's thread writes each page to a file of its own beside the history, never to the user's place: that may be
 * a network drive that stops answering, and then the history could no longer save a result.
 */
export async function exportJobs(
  parts: ExportParts,
  { source, format, path, title, atMs }: WantedFile,
): Promise<Result<Exported>> {
  let jobs = 0;
  try {
    await atUsersPlace(() =>
      putWholeFile(path, async (unfinished) => {
        const isTable = typeof format !== 'string';
        const head = isTable ? tableHead(format) : formatWriters[format].head(title, atMs);
        await writeFile(unfinished, head, { flag: 'wx' });
        jobs = await writePages(parts, source, format, unfinished);
        await appendFile(unfinished, isTable ? tableFoot(format) : formatWriters[format].foot);
      }),
    );
    return ok({ path, jobs });
  } catch (error) {
    const message = saveText.couldNotWrite(path, writeProblem(error));
    return failed({ kind: 'storage', message, detail: errorText(error) });
  }
}

async function writePages(
  { history, historyPath, connections, costs }: ExportParts,
  source: ExportSource,
  format: ExportFormat | SavedTable,
  path: string,
): Promise<number> {
  const listed = await connections();
  // If the names cannot be read, the jobs are exported without them.
  const connectionNames = Object.fromEntries((listed.ok ? listed.value : []).map(({ id, name }) => [id, name]));
  const rates = costs().map(({ connectionId, endpointId, rates: each }) => ({ connectionId, endpointId, rates: each }));
  const pagePath = `${historyPath}-export.${randomUUID().slice(0, 8)}${unfinishedEnding}`;
  let jobs = 0;
  let passed = 0;
  let after: string | null = null;
  try {
    for (;;) {
      const page = await history.writeExportPage({
        path: pagePath,
        format,
        source: pageOf(source, passed, after),
        before: jobs,
        connectionNames,
        costs: rates,
      });
      if (page.passed === 0) return jobs;
      await appendFile(path, createReadStream(pagePath));
      await rm(pagePath);
      jobs += page.jobs;
      passed += page.passed;
      after = page.place ?? after;
    }
  } finally {
    await rm(pagePath, { force: true });
  }
}

/** How many keys are sent to the thread at a time, which is what a page can hold. */
const keysAtOnce = 100;

function pageOf(source: ExportSource, passed: number, after: string | null): ExportPageSource {
  return source.kind === 'jobs'
    ? { kind: 'jobs', keys: source.keys.slice(passed, passed + keysAtOnce) }
    : { ...source, after };
}

/** The file name for jobs that do not share one. */
const manyJobs = 'jobs';

/** The heading of a report, from the name of its file. */
export function titleOfExport(name: string | null): string {
  return name === null || name === manyJobs ? reportText.jobs : name;
}

/** A file name for an export of these jobs. Null if there are none. */
export async function nameOfExport(
  history: Pick<History, 'batchesById' | 'job'>,
  source: ExportSource,
): Promise<string | null> {
  switch (source.kind) {
    case 'batch':
      return (await history.batchesById([source.id]))[0]?.name ?? null;
    case 'jobs': {
      const [first] = source.keys;
      return first === undefined || source.keys.length > 1 ? manyJobs : ((await history.job(first))?.title ?? null);
    }
    case 'filter':
      return manyJobs;
  }
}
