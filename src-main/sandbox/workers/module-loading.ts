import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failureLines, type FailureView } from './error-report.ts';
import { fileState, type SourceFile } from './source-watch.ts';
import { isError, readStack, type SourceLocation } from './stack-text.ts';

/** What is known of the loading of a handler's modules. */
export interface ModuleLoading {
  /** For the author: what was thrown, while loading or later, and where. */
  failureLines(thrown: unknown): Promise<string[]>;
  /** What is known synchronously. The place of a syntax error is not always included. */
  failureLinesNow(thrown: unknown): string[];
}

interface Unresolved {
  specifier: string;
  parentPath: string;
}

const SOURCE_NAME = /^file:/;

/** Where a module imports something, as far as its text shows. */
function importPlace({ specifier, parentPath }: Unresolved): SourceLocation | null {
  const lines = readFileSync(parentPath, 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    for (const quoted of [`'${specifier}'`, `"${specifier}"`]) {
      if (line.includes(quoted)) return { path: parentPath, line: index + 1, column: line.indexOf(quoted) + 1 };
    }
  }
  return null;
}

const SOURCE_ENDINGS = ['.mjs', '.js', '.cjs', '.ts', '.mts', '.cts'];

/** What an import that was not found may have meant: a file beside it with another ending. */
function meantSpecifier({ specifier, parentPath }: Unresolved): string | null {
  if (!/^\.{1,2}\//.test(specifier)) return null;
  const bare = SOURCE_ENDINGS.includes(extname(specifier)) ? specifier.slice(0, -extname(specifier).length) : specifier;
  const candidates = [specifier, bare].flatMap((name) =>
    [...SOURCE_ENDINGS, '.json'].flatMap((ending) => [`${name}${ending}`, `${name}/index${ending}`]),
  );
  return candidates.find((name) => existsSync(join(dirname(parentPath), name))) ?? null;
}

/** For the author: what may help against this error. */
function hints(thrown: unknown, unresolved: Unresolved | null): string[] {
  if (!isError(thrown) || !('code' in thrown)) return [];
  if (thrown.code === 'ERR_UNKNOWN_FILE_EXTENSION')
    return [`A handler is a JavaScript or TypeScript module (${SOURCE_ENDINGS.join(', ')}) or a Python file (.py).`];
  const meant = thrown.code === 'ERR_MODULE_NOT_FOUND' && unresolved !== null ? meantSpecifier(unresolved) : null;
  return meant === null ? [] : [`There is ${meant}: an import names the file with its ending.`];
}

function numberIn(value: object, name: string): number | null {
  const found: unknown = Reflect.get(value, name);
  return typeof found === 'number' && found >= 0 ? found : null;
}

/** Where V8 found an error, because a syntax error in a module does not say so otherwise. */
async function engineLine(error: Error): Promise<{ line: number; column: number } | null> {
  const { Session } = await import('node:inspector');
  const session = new Session();
  session.connect();
  const key = `error-${randomUUID()}`;
  let found: { line: number; column: number } | null = null;
  try {
    Reflect.set(globalThis, key, error);
    // Both are answered before post returns.
    session.post('Runtime.evaluate', { expression: `globalThis['${key}']` }, (_evaluateError, { result }) => {
      session.post(
        'Runtime.getExceptionDetails',
        { errorObjectId: result.objectId },
        (_detailsError, reply?: object) => {
          if (
            reply === undefined ||
            !('exceptionDetails' in reply) ||
            typeof reply.exceptionDetails !== 'object' ||
            reply.exceptionDetails === null
          )
            return;
          const line = numberIn(reply.exceptionDetails, 'lineNumber');
          const column = numberIn(reply.exceptionDetails, 'columnNumber');
          if (line !== null && column !== null) found = { line: line + 1, column: column + 1 };
        },
      );
    });
  } finally {
    Reflect.deleteProperty(globalThis, key);
    session.disconnect();
  }
  return found;
}

/**
 * Follows the loading of a handler's modules in this thread: `onFile` is called with each file of the user's own (not
 * of packages) before its text is read, and with each missing file that was searched for, so that changes are noticed
 * even in what could not be loaded.
 */
export function followModuleLoading(view: FailureView, onFile: (file: SourceFile) => void): ModuleLoading {
  let lastLoaded: string | null = null;
  let unresolved: Unresolved | null = null;

  function report(url: string): void {
    if (!SOURCE_NAME.test(url) || url.includes('/node_modules/') || url.startsWith(view.ownDirectory)) return;
    const path = fileURLToPath(url);
    onFile({ path, state: fileState(path) });
  }

  registerHooks({
    load: (url, context, nextLoad) => {
      report(url);
      if (SOURCE_NAME.test(url)) lastLoaded = fileURLToPath(url);
      return nextLoad(url, context);
    },
    resolve: (specifier, context, nextResolve) => {
      try {
        return nextResolve(specifier, context);
      } catch (error) {
        const { parentURL } = context;
        if (parentURL !== undefined && SOURCE_NAME.test(parentURL))
          unresolved = { specifier, parentPath: fileURLToPath(parentURL) };
        if (/^(?:\.{0,2}\/|file:)/.test(specifier)) report(new URL(specifier, parentURL).href.replace(/[?#].*$/, ''));
        throw error;
      }
    },
  });

  async function findPlace(error: Error): Promise<SourceLocation | null> {
    const { place } = readStack(error, view.ownDirectory);
    if (place !== null) return place;
    if ('code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && unresolved !== null) return importPlace(unresolved);
    if (!(error instanceof SyntaxError) || lastLoaded === null) return null;
    const found = await engineLine(error);
    return found === null ? null : { path: lastLoaded, ...found };
  }

  return {
    failureLines: async (thrown) => {
      const place = isError(thrown) ? await findPlace(thrown).catch(() => null) : null;
      return [...failureLines(thrown, view, place), ...hints(thrown, unresolved)];
    },
    failureLinesNow: (thrown) => failureLines(thrown, view),
  };
}
