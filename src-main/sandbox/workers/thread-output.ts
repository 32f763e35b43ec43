import { StringDecoder } from 'node:string_decoder';
import type { OutputStream } from './handler-protocol.ts';

type WriteCallback = (error?: Error | null) => void;

/**
 * Hands everything that this thread prints (console, process.stdout, process.stderr) to `print` at
 * once instead, so that it keeps its place among the thread's messages and is not lost when the
 * thread is ended.
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
