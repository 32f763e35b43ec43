import { statSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';

/** A file that a handler was loaded from, or that was searched for and not found. */
export interface SourceFile {
  path: string;
  /** The state of the file that was loaded, see {@link fileState}. */
  state: string;
}

/** Notices changes of files since they were loaded. Does not keep the process alive. */
export interface SourceWatch {
  add(file: SourceFile): void;
  close(): void;
}

/** Real time: an editor writes a file in several steps, and several files at the same time. */
const SETTLE_MS = 100;
const POLL_MS = 500;

/** Changes whenever the file is written to or replaced. 'missing' if there is none. */
export function fileState(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'missing' : `${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}

/**
 * Calls `onChange` with one of the changed paths, once for simultaneous changes. It watches folders and not files,
 * because editors replace a file by renaming another one.
 */
export function createSourceWatch(onChange: (path: string) => void): SourceWatch {
  const states = new Map<string, string>();
  const folders = new Map<string, FSWatcher | null>();
  const polled = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let polling: NodeJS.Timeout | null = null;

  function checkFiles(): void {
    timer ??= setTimeout(() => {
      timer = null;
      let changed: string | null = null;
      for (const [path, known] of states) {
        const state = fileState(path);
        if (state === known) continue;
        states.set(path, state);
        changed = path;
      }
      if (changed !== null) onChange(changed);
    }, SETTLE_MS).unref();
  }

  /** Waits until nothing has changed for a while. */
  function checkLater(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    checkFiles();
  }

  /**
   * Reads the states of this folder's files repeatedly. `fs.watchFile` would take for the known state whatever it finds
   * first, which may already be a changed file.
   */
  function poll(folder: string): void {
    for (const path of states.keys()) if (dirname(path) === folder) polled.add(path);
    polling ??= setInterval(() => {
      if ([...polled].some((path) => fileState(path) !== states.get(path))) checkLater();
    }, POLL_MS).unref();
  }

  function watchFolder(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === null || [...states.keys()].some((path) => dirname(path) === folder && basename(path) === name))
          checkLater();
      });
      folders.set(folder, watcher);
      watcher.on('error', () => {
        watcher.close();
        folders.set(folder, null);
        poll(folder);
      });
    } catch {
      // The folder does not exist yet, or the system's watchers are used up.
      folders.set(folder, null);
    }
  }

  return {
    add: ({ path, state }) => {
      const folder = dirname(path);
      if (!states.has(path)) states.set(path, state);
      if (!folders.has(folder)) watchFolder(folder);
      if (folders.get(folder) === null) poll(folder);
      // It may have changed between being loaded and being watched.
      if (fileState(path) !== states.get(path)) checkFiles();
    },
    close: () => {
      if (timer !== null) clearTimeout(timer);
      for (const watcher of folders.values()) watcher?.close();
      if (polling !== null) clearInterval(polling);
      states.clear();
    },
  };
}
