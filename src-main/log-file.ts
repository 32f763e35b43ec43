import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A log may take this much on disk, and as much again in the one former file. */
export const logFileBytes = 5_000_000;

export interface LogFile {
  /** Appends a line. Never throws: when the disk refuses, the line is dropped and counted. */
  write(line: string): void;
  /** Lines the disk refused since the file was opened. */
  dropped(): number;
  close(): void;
}

/**
 * A file of lines, readable by this user only, that never grows past `maxBytes`: the full file becomes
 * `<path>.1` (replacing the one before) and a new one is begun. A single longer line is dropped.
 * Lines are written at once and in order, so that the last line before a crash is there.
 */
export function openLogFile({ path, maxBytes = logFileBytes }: { path: string; maxBytes?: number }): LogFile {
  let file: number | null = null;
  let bytes = 0;
  let dropped = 0;
  let isClosed = false;

  function open(): number {
    mkdirSync(dirname(path), { recursive: true });
    const opened = openSync(path, 'a', 0o600);
    bytes = fstatSync(opened).size;
    return opened;
  }

  function shut(): void {
    if (file === null) return;
    const closing = file;
    file = null;
    closeSync(closing);
  }

  return {
    write(line) {
      if (isClosed) return;
      try {
        const lineBytes = Buffer.from(line, 'utf8');
        if (lineBytes.length > maxBytes) throw new Error('The line is longer than the file may be');
        file ??= open();
        if (bytes + lineBytes.length > maxBytes) {
          shut();
          renameSync(path, `${path}.1`);
          file = open();
        }
        writeSync(file, lineBytes);
        bytes += lineBytes.length;
      } catch {
        // There is nowhere left to say it; the app must not fall over its own log.
        dropped += 1;
      }
    },
    dropped: () => dropped,
    close() {
      isClosed = true;
      try {
        shut();
      } catch {
        dropped += 1;
      }
    },
  };
}
