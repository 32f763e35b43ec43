import { StringDecoder } from 'node:string_decoder';
import type { OutputStream } from './handler-protocol.ts';

type WriteCallback = (error?: Error | null) => void;

/**
 * Passes everything that this thread prints (console, process.stdout, process.stderr) to `print` immediately instead,
 * so that it keeps its order among the thread's messages and is not lost when the thread is ended. Bytes that are no
 * UTF-8 become U+FFFD. Returns what prints the bytes of a character that was not completed.
 */
export function captureOutput(print: (stream: OutputStream, text: string) => void): () => void {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  for (const stream of ['stdout', 'stderr'] as const) {
    // A character's bytes may come in two writes.
    const decoder = decoders[stream];
    process[stream].write = (
      chunk: string | Uint8Array,
      encodingOrDone?: BufferEncoding | WriteCallback,
      done?: WriteCallback,
    ): boolean => {
      const encoding = typeof encodingOrDone === 'string' ? encodingOrDone : 'utf8';
      const isText = typeof chunk === 'string' && (encoding === 'utf8' || encoding === 'utf-8');
      const text = isText
        ? chunk
        : decoder.write(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk));
      if (text !== '') print(stream, text);
      const callback = typeof encodingOrDone === 'function' ? encodingOrDone : done;
      if (callback !== undefined) process.nextTick(callback);
      return true;
    };
  }
  return () => {
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = decoders[stream].end();
      if (rest !== '') print(stream, rest);
    }
  };
}

/** One printed line and the job it belongs to. */
export interface LogLine {
  jobId: string | null;
  stream: OutputStream;
  line: string;
  /** The line is too long for one: the next one of this job and stream continues it. */
  isContinued?: true;
}

export interface LogLines {
  add(printed: { stream: OutputStream; text: string; jobId: string | null }): void;
  /** Reports what was printed without a line end. */
  flush(): void;
}

/** A longer line is reported in pieces, so that a handler that never ends its line cannot fill the memory. */
const LINE_MAX = 65_536;

/** As in a terminal: a carriage return overwrites the text before it, as soon as more text comes. */
function overwritten(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\r') end -= 1;
  return end === 0 ? '' : text.slice(text.lastIndexOf('\r', end - 1) + 1, end + 1);
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

/** A place at or before `LINE_MAX` that is not within a character. */
function cutPlace(text: string): number {
  const unit = text.charCodeAt(LINE_MAX - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? LINE_MAX - 1 : LINE_MAX;
}

/**
 * Splits what was printed into lines. Each job has its own lines, whatever others print between two parts of one.
 * `onBegun` is called with a line that has no end yet, as far as it goes, after each write to it: a progress bar.
 */
export function createLogLines(
  onLine: (line: LogLine) => void,
  onBegun: (line: LogLine) => void = () => undefined,
): LogLines {
  const begun = new Map<string, LogLine>();

  function lineOf(stream: OutputStream, jobId: string | null): LogLine {
    const name = `${stream} ${jobId ?? ''}`;
    const found = begun.get(name) ?? { jobId, stream, line: '' };
    begun.set(name, found);
    return found;
  }

  function append(line: LogLine, text: string): void {
    const all = line.line + text;
    line.line = all.includes('\r') ? overwritten(all) : all;
    while (line.line.length > LINE_MAX) {
      const at = cutPlace(line.line);
      onLine({ ...line, line: line.line.slice(0, at), isContinued: true });
      line.line = line.line.slice(at);
    }
  }

  function end(line: LogLine): void {
    onLine({ ...line, line: withoutReturn(line.line) });
    line.line = '';
  }

  return {
    add: ({ stream, text, jobId }) => {
      const line = lineOf(stream, jobId);
      const parts = text.split('\n');
      const last = parts.pop() ?? '';
      for (const part of parts) {
        append(line, part);
        end(line);
      }
      append(line, last);
      if (line.line === '') begun.delete(`${stream} ${jobId ?? ''}`);
      else onBegun({ ...line, line: withoutReturn(line.line) });
    },
    flush: () => {
      for (const line of begun.values()) if (line.line !== '') end(line);
      begun.clear();
    },
  };
}
