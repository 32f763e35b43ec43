import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Small files that only this user can read. Every promise rejects with the system's error when the disk refuses. */
export interface SecretFiles {
  /** Names of all files kept. */
  list(): Promise<string[]>;
  /** Null when there is no such file. */
  read(name: string): Promise<Buffer | null>;
  /** Whole or not at all: a crash leaves the former file. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Also fine when there is no such file. */
  remove(name: string): Promise<void>;
}

const unfinished = '.part';

/**
 * Files in `folder` (made on first write, 0700), each 0600.
 * The folder holds ciphertext and empty marks, never a secret in the clear.
 */
export function createSecretFiles(folder: string): SecretFiles {
  return {
    async list() {
      try {
        return (await readdir(folder)).filter((name) => !name.endsWith(unfinished));
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
    async read(name) {
      try {
        return await readFile(join(folder, name));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async write(name, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // A folder that was there before may be open to others.
      await chmod(folder, 0o700);
      const path = join(folder, name);
      const part = `${path}.${randomUUID()}${unfinished}`;
      try {
        const file = await open(part, 'wx', 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(part, path);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    async remove(name) {
      await rm(join(folder, name), { force: true });
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
