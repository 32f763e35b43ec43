import { StringDecoder } from 'node:string_decoder';
import type { OutputStream } from './handler-protocol.ts';

type WriteCallback = (error?: Error | null) => void;

/**
 * Passes everything that this thread prints (console, process.stdout, process.stderr) to `print` immediately instead,
 * so that it keeps its order among the thread's messages and is not lost when the thread is ended.
 */
export function captureOutput(print: (stream: OutputStream, text: string) => void): void {
  for (const stream of ['stdout', 'stderr'] as const) {
    // A character's bytes may come in two writes.
    const decoder = new StringDecoder('utf8');
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
}

/** One printed line and the job it belongs to. */
export interface LogLine {
  jobId: string | null;
  stream: OutputStream;
  line: string;
}

export interface LogLines {
  add(printed: { stream: OutputStream; text: string; jobId: string | null }): void;
  /** Reports what was printed without a line end. */
  flush(): void;
}

/** A longer line is reported in pieces, so that a handler that never ends its line cannot fill the memory. */
const LINE_MAX = 65_536;

/** As in a terminal: a carriage return overwrites the text before it. */
function shown(line: string): string {
  return line.slice(line.lastIndexOf('\r') + 1);
}

/** Splits what was printed into lines, in order. A line that was begun in one job does not continue in the next. */
export function createLogLines(onLine: (line: LogLine) => void): LogLines {
  const begun: Record<OutputStream, { text: string; jobId: string | null }> = {
    stdout: { text: '', jobId: null },
    stderr: { text: '', jobId: null },
  };

  function flushOne(stream: OutputStream): void {
    const { text, jobId } = begun[stream];
    begun[stream].text = '';
    if (text !== '') onLine({ jobId, stream, line: shown(text.replace(/\r$/, '')) });
  }

  return {
    add: ({ stream, text, jobId }) => {
      const line = begun[stream];
      if (line.jobId !== jobId) flushOne(stream);
      line.jobId = jobId;
      const lines = `${line.text}${text}`.split(/\r?\n/);
      line.text = lines.pop() ?? '';
      for (const whole of lines) onLine({ jobId, stream, line: shown(whole) });
      while (line.text.length > LINE_MAX) {
        onLine({ jobId, stream, line: line.text.slice(0, LINE_MAX) });
        line.text = line.text.slice(LINE_MAX);
      }
    },
    flush: () => {
      flushOne('stdout');
      flushOne('stderr');
    },
  };
}
