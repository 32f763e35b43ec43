import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { History } from '../../../src-main/history/history.ts';
import { openTestHistory } from '../../kit/threads.ts';

export interface SavedDocuments {
  /** For files beside the database. */
  folder: string;
  history: History;
  /** Closes the database and opens it again, like a restart. */
  reopen(): Promise<History>;
  /** Removes all documents and everything else in the folder. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** The real history store in a separate folder. */
export async function keepDocuments(): Promise<SavedDocuments> {
  const root = mkdtempSync(join(tmpdir(), 'jobdeck-documents-'));
  const folder = join(root, 'beside');
  const open = async (): Promise<History> =>
    (await openTestHistory({ path: join(root, 'history.db'), now: () => 0 })).history;
  const kept: SavedDocuments = {
    folder,
    history: await open(),
    async reopen() {
      await kept.history.close();
      kept.history = await open();
      return kept.history;
    },
    async clear() {
      for (const kind of ['connection', 'removed-connection', 's3-profile', 'settings']) {
        for (const { id } of await kept.history.documents(kind)) await kept.history.removeDocument(kind, id);
      }
      rmSync(folder, { recursive: true, force: true });
    },
    async close() {
      await kept.history.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  return kept;
}
