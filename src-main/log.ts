import { createLogRedactor } from './secret/log-redaction.ts';

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
  const redactor = createLogRedactor();

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
      hide: redactor.hide,
      redact: redactor.text,
      area: (name) => inArea(area === null ? name : `${area}.${name}`),
    };
  }

  return inArea(null);
}
