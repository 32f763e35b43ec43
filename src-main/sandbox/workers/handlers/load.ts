import type { HandlerSource } from '../handler-protocol.ts';
import { handler as echo } from './echo.ts';
import { handler as image } from './image.ts';
import type { Handler } from './job.ts';
import { handler as mock } from './mock.ts';
import { handler as text } from './text.ts';

/** Imported by name rather than by path, so that a bundle holds them. */
const BUILT_IN: Readonly<Record<string, Handler>> = { echo, text, image, mock };

/** Finds a handler; rejects with a sentence when there is none. */
export async function loadHandler(source: HandlerSource): Promise<Handler> {
  if ('builtIn' in source) {
    const handler = BUILT_IN[source.builtIn];
    if (handler === undefined) throw new Error(`There is no built-in handler named ${source.builtIn}.`);
    return handler;
  }
  const loaded: { handler?: unknown } = await import(/* @vite-ignore */ source.moduleUrl);
  const { handler } = loaded;
  if (typeof handler !== 'function') throw new Error(`${source.moduleUrl} does not export a function named handler.`);
  return (job) => handler(job);
}
