import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHistory } from '../../../src-main/history/store.ts';
import type { History } from '../../../src-main/history/history.ts';

export interface KeptDocuments {
  folder: string;
  history: History;
  /** Closes the database and opens it again, as a restart does. */
  reopen(): Promise<History>;
  close(): Promise<void>;
}

/** The real history store in a folder of its own. */
export async function keepDocuments(): Promise<KeptDocuments> {
  const folder = mkdtempSync(join(tmpdir(), 'jobdeck-documents-'));
  const open = async (): Promise<History> => (await openHistory({ path: join(folder, 'history.db'), now: () => 0 })).history;
  const kept: KeptDocuments = {
    folder,
    history: await open(),
    async reopen() {
      await kept.history.close();
      kept.history = await open();
      return kept.history;
    },
    async close() {
      await kept.history.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return kept;
}
