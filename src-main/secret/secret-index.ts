import { chmod, lstat, mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unfinishedEnding, writeWholeFile } from '../whole-file.ts';

/** A place that outlives the session. */
type LastingPlace = 'keychain' | 'safe-storage';

const endings = { keychain: '.keychain', leftover: '.leftover', sealed: '.sealed' } as const;

/**
 * Where each secret is, as one small file per secret: an empty mark for the keychain, the ciphertext for safe storage.
 * So that is known without opening the keychain (which may ask for a password), and while the keychain does not answer,
 * a key in it never counts as "no key".
 */
export interface SecretIndex {
  placeOf(id: string): LastingPlace | null;
  /** The ids of all secrets in a place that outlives the session. */
  ids(): string[];
  /** Entries that should have been removed from the keychain and could not be. */
  leftovers(): string[];
  markKeychain(id: string): Promise<void>;
  unmarkKeychain(id: string): Promise<void>;
  markLeftover(id: string): Promise<void>;
  unmarkLeftover(id: string): Promise<void>;
  /** Call it after the ciphertext file was written or removed. */
  noteSealed(id: string, isSealed: boolean): void;
}

/** The name of a secret's ciphertext file. Ids are written in hex, which is safe on every file system. */
export function sealedFile(id: string): string {
  return fileOf(id, endings.sealed);
}

/** Reads the marks. Rejects if the folder cannot be read. */
export async function openSecretIndex(files: SecretFiles): Promise<SecretIndex> {
  const names = await files.list();
  const keychain = idsWith(names, endings.keychain);
  const leftover = idsWith(names, endings.leftover);
  const sealed = idsWith(names, endings.sealed);
  const empty = new Uint8Array();

  return {
    placeOf(id) {
      // Both exist only after a crash between writing to the keychain and removing the file. The keychain's is newer.
      if (keychain.has(id)) return 'keychain';
      return sealed.has(id) ? 'safe-storage' : null;
    },
    ids: () => [...new Set([...keychain, ...sealed])],
    leftovers: () => [...leftover],
    async markKeychain(id) {
      await files.write(fileOf(id, endings.keychain), empty);
      keychain.add(id);
    },
    async unmarkKeychain(id) {
      await files.remove(fileOf(id, endings.keychain));
      keychain.delete(id);
    },
    async markLeftover(id) {
      await files.write(fileOf(id, endings.leftover), empty);
      leftover.add(id);
    },
    async unmarkLeftover(id) {
      if (!leftover.has(id)) return;
      await files.remove(fileOf(id, endings.leftover));
      leftover.delete(id);
    },
    noteSealed(id, isSealed) {
      if (isSealed) sealed.add(id);
      else sealed.delete(id);
    },
  };
}

function fileOf(id: string, ending: string): string {
  return Buffer.from(id, 'utf8').toString('hex') + ending;
}

function idsWith(names: string[], ending: string): Set<string> {
  const hexes = names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length));
  return new Set(
    hexes.filter((hex) => /^([0-9a-f]{2})+$/.test(hex)).map((hex) => Buffer.from(hex, 'hex').toString('utf8')),
  );
}

/** Small files that only this user can read. Every promise rejects with the system's error if the disk refuses. */
export interface SecretFiles {
  /** Names of all files kept. */
  list(): Promise<string[]>;
  /** Null if there is no such file. */
  read(name: string): Promise<Buffer | null>;
  /** A crash leaves the former file or the new one, never a part. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Succeeds even if there is no such file. */
  remove(name: string): Promise<void>;
}

/**
 * Files in `folder` (created on first write, 0700), each 0600. The folder has ciphertext and empty marks, never a
 * secret in the clear.
 */
export function createSecretFiles(folder: string): SecretFiles {
  return {
    async list() {
      try {
        return (await readdir(folder)).filter((name) => !name.endsWith(unfinishedEnding));
      } catch (error) {
        if (isMissing(error) && !(await isThere(folder))) return [];
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
      // An existing folder may be open to others.
      await chmod(folder, 0o700);
      await writeWholeFile(join(folder, name), bytes, { mode: 0o600 });
    },
    async remove(name) {
      await rm(join(folder, name), { force: true });
    },
  };
}

/** Also true for a link that leads nowhere: its drive may not be connected, and the keys are on it. */
async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
