import { fileURLToPath } from 'node:url';
import { isPython, type HandlerSource } from '../handler-protocol.ts';
import type { SourceFile } from '../source-watch.ts';
import { NoHandler, type Handler, type Job } from './job.ts';

/** Returns its input. */
const echo: Handler = async (job) => job.input;

/**
 * Each with a literal path, so that a bundle includes them. Only the needed one is loaded, because every worker loads
 * its own.
 */
const BUILT_IN: Readonly<Record<string, () => Promise<{ handler: Handler }>>> = {
  echo: async () => ({ handler: echo }),
  text: () => import('./text.ts'),
  image: () => import('./image.ts'),
  mock: () => import('./mock.ts'),
};

function memberOf(value: unknown, name: string): unknown {
  return (typeof value === 'object' || typeof value === 'function') && value !== null
    ? Reflect.get(value, name)
    : undefined;
}

/** `handler` in a module: a named export, the default, or a member of the default. */
function exportedHandler(loaded: object): ((job: Job) => unknown) | null {
  const byDefault = memberOf(loaded, 'default');
  const places = [
    { candidate: memberOf(loaded, 'handler'), owner: undefined },
    { candidate: memberOf(byDefault, 'handler'), owner: byDefault },
    { candidate: byDefault, owner: undefined },
  ];
  for (const { candidate, owner } of places) {
    if (typeof candidate === 'function') return (job) => Reflect.apply(candidate, owner, [job]);
  }
  return null;
}

function exportsSentence(loaded: object): string {
  const { handler, ...others } = { ...loaded, handler: memberOf(loaded, 'handler') };
  if (handler !== undefined) return `Its handler is ${handler === null ? 'null' : `of type ${typeof handler}`}.`;
  const names = Object.keys(others);
  return names.length === 0 ? 'It exports nothing.' : `It exports ${names.join(', ')}.`;
}

/**
 * Finds a handler. Rejects with {@link NoHandler}, or with what the module threw. `onFile`: called with the files of a
 * handler in Python; those of modules are found by following their loading.
 */
export async function loadHandler(
  source: HandlerSource,
  onFile: (file: SourceFile) => void = () => undefined,
): Promise<Handler> {
  if ('builtIn' in source) {
    const load = BUILT_IN[source.builtIn];
    if (load === undefined) throw new NoHandler(`There is no built-in handler named ${source.builtIn}.`);
    return (await load()).handler;
  }
  if (isPython(source)) {
    const { loadPythonHandler } = await import('./python.ts');
    return loadPythonHandler(fileURLToPath(source.moduleUrl), onFile);
  }
  const loaded: object = await import(/* @vite-ignore */ source.moduleUrl);
  const handler = exportedHandler(loaded);
  if (handler === null) throw new NoHandler(`It does not export a function named handler. ${exportsSentence(loaded)}`);
  return handler;
}
