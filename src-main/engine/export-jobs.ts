import { randomUUID } from 'node:crypto';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import type { EndpointCost } from '../../src-preload/cost.ts';
import type { Exported, ExportFormat, ExportSource } from '../../src-preload/export.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { errorText } from '../async/error-text.ts';
import { exportHead } from '../history/export/lines.ts';
import type { ExportPageSource } from '../history/export/write-page.ts';
import type { History } from '../history/history.ts';

export interface ExportParts {
  history: Pick<History, 'writeExportPage'>;
  connections: () => Promise<Result<readonly { id: string; name: string }[]>>;
  costs: () => EndpointCost[];
}

/**
 * Writes jobs to a file, page after page in the history's thread. The file is there whole or not at all: it is written
 * beside its place and takes it at the end.
 */
export async function exportJobs(
  parts: ExportParts,
  { source, format, path }: { source: ExportSource; format: ExportFormat; path: string },
): Promise<Result<Exported>> {
  const unfinished = `${path}.${randomUUID().slice(0, 8)}.part`;
  try {
    await writeFile(unfinished, exportHead(format), { flag: 'wx' });
    const jobs = await writePages(parts, source, format, unfinished);
    await reachDisk(unfinished);
    await rename(unfinished, path);
    return ok({ path, jobs });
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    const detail = errorText(error);
    return failed({ kind: 'storage', message: `Could not write ${path}; no part of it was saved. ${detail}`, detail });
  }
}

async function writePages(
  { history, connections, costs }: ExportParts,
  source: ExportSource,
  format: ExportFormat,
  path: string,
): Promise<number> {
  const listed = await connections();
  // Without their names the jobs can be exported all the same.
  const connectionNames = Object.fromEntries((listed.ok ? listed.value : []).map(({ id, name }) => [id, name]));
  const rates = costs().map(({ connectionId, endpointId, rates: each }) => ({ connectionId, endpointId, rates: each }));
  let jobs = 0;
  let passed = 0;
  let afterKey: string | null = null;
  for (;;) {
    const page = await history.writeExportPage({
      path,
      format,
      source: pageOf(source, passed, afterKey),
      connectionNames,
      costs: rates,
    });
    if (page.passed === 0) return jobs;
    jobs += page.jobs;
    passed += page.passed;
    afterKey = page.lastKey ?? afterKey;
  }
}

/** Keys travel to the thread as far as one page can go. */
const keysAtOnce = 100;

function pageOf(source: ExportSource, passed: number, afterKey: string | null): ExportPageSource {
  return source.kind === 'jobs'
    ? { kind: 'jobs', keys: source.keys.slice(passed, passed + keysAtOnce) }
    : { ...source, afterKey };
}

async function reachDisk(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
