import { LogRedactor } from './redaction/log-redaction.ts';
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/**
 * Structured lines, one JSON object each: `{"at","level","area","message","fields"}`. Secrets are removed from every
 * line: registered ones wherever they occur, others by their context (authorization headers, `Bearer x`, fields named
 * key, secret, token, password, ...). A job's key is logged as `jobKey`.
 */
export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
  /** From now on this text never appears in a line or in what `redact` returns. */
  hide(secret: string): void;
  /** The text without secrets, for a failure that quotes someone else's error. */
  redact(text: string): string;
  /** The same log, whose lines have this name as their area. */
  area(name: string): Log;
}

export interface LogParts {
  /** Takes one whole line with its line end. Must not throw. */
  write: (line: string) => void;
  /** Epoch milliseconds. */
  now: () => number;
  /** Lines below it are dropped. `info` by default. */
  lowestLevel?: LogLevel;
}

/** A log that writes its lines through `write`. */
export function createLog({ write, now, lowestLevel = 'info' }: LogParts): Log {
  const redactor = new LogRedactor();

  function inArea(area: string | null): Log {
    const line = (level: LogLevel) => (message: string, fields?: Record<string, unknown>) => {
      if (levels.indexOf(level) < levels.indexOf(lowestLevel)) return;
      const head = {
        at: new Date(now()).toISOString(),
        level,
        ...(area === null ? {} : { area }),
        message: redactor.text(message),
      };
      write(`${JSON.stringify(fields === undefined ? head : { ...head, fields: redactor.value(fields) })}\n`);
    };
    return {
      debug: line('debug'),
      info: line('info'),
      warn: line('warn'),
      error: line('error'),
      hide: (secret) => redactor.hide(secret),
      redact: (text) => redactor.text(text),
      area: (name) => inArea(area === null ? name : `${area}.${name}`),
    };
  }

  return inArea(null);
}

/** The most that a log takes on disk. The one former file may take as much again. */
const logFileBytes = 5_000_000;

export interface LogFile {
  /** Appends a line. Never throws: when the disk refuses, the line is dropped and counted. */
  write(line: string): void;
  /** Lines the disk refused since the file was opened. */
  dropped(): number;
  close(): void;
}

/**
 * A file of lines, readable by this user only, that never exceeds `maxBytes`: the full file becomes `<path>.1`
 * (replacing the one before) and a new one is begun. A single longer line is dropped. Lines are written synchronously
 * and in order, so that the last line before a crash is there.
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
        // There is no other place to report it, and logging must not crash the app.
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
