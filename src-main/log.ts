import { LogRedactor } from './redaction/log-redaction.ts';
import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/**
 * Structured lines, one JSON object each: `{"at","level","area","message","fields"}`.
 * Secrets cannot reach a line: registered ones are taken out wherever they stand, others by their place
 * (authorization headers, `Bearer x`, fields named key, secret, token, password, ...). A job's key is logged as
 * `jobKey`.
 */
export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
  /** From now on this text never appears in a line, nor in what `redact` answers. */
  hide(secret: string): void;
  /** The text without secrets: for the detail of a failure that quotes someone else's error. */
  redact(text: string): string;
  /** The same log, its lines marked with where they come from. */
  area(name: string): Log;
}

export interface LogParts {
  /** Takes one whole line, with its line end. Must not throw. */
  write: (line: string) => void;
  /** Epoch milliseconds. */
  now: () => number;
  /** Lines below it are dropped; `info` unless given. */
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

/** A log may take this much on disk, and as much again in the one former file. */
const logFileBytes = 5_000_000;

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
