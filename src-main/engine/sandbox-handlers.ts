import { readFile, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { z } from 'zod';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { parseJson } from '../../src-preload/json-spans.ts';
import type { SandboxHandler } from '../../src-preload/sandbox.ts';
import { createSerialQueue } from '../async/queues.ts';
import { sandboxHandlerText } from '../messages/sandbox.ts';
import { HANDLER_ENDINGS } from '../sandbox/endpoint.ts';
import { writeProblem, writeWholeFile } from '../whole-file.ts';

/** The endings that a handler's file can have. */
export const handlerEndings = [...HANDLER_ENDINGS];

const handlersMax = 20;

const handlerList = z.array(
  z.object({ endpointId: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/), path: z.string().min(1).max(4_000) }),
);

/** The user's own handlers. */
export interface SandboxHandlers {
  all(): SandboxHandler[];
  /**
   * Adds the handler in a file, under an id made of its name. One that is there already is not added again. Errors:
   * `refused` for a file that can be no handler, `storage` if the list cannot be written.
   */
  add(path: string): Promise<Result<SandboxHandler>>;
  remove(endpointId: string): Promise<Result<null>>;
}

/**
 * Opens the list in a file of its own and not in the history, because these files are executed: a backup of somebody
 * else brings no handlers along. `taken`: ids that no handler can have.
 */
export async function openSandboxHandlers(listPath: string, taken: readonly string[]): Promise<SandboxHandlers> {
  let handlers: SandboxHandler[] = await readList(listPath);
  /** In turn, so that each is made from the list of the one before. */
  const changes = createSerialQueue();

  async function write(changed: SandboxHandler[]): Promise<Result<null>> {
    try {
      await writeWholeFile(listPath, Buffer.from(JSON.stringify(changed, null, 2)), { mode: 0o600 });
    } catch (error) {
      return failed({ kind: 'storage', message: sandboxHandlerText.notSaved(writeProblem(error)) });
    }
    handlers = changed;
    return ok(null);
  }

  async function add(path: string): Promise<Result<SandboxHandler>> {
    const present = handlers.find((handler) => handler.path === path);
    if (present !== undefined) return ok(present);
    const refusal = await refusalOf(path);
    if (refusal !== null) return failed({ kind: 'refused', field: 'path', message: refusal });
    if (handlers.length >= handlersMax)
      return failed({ kind: 'refused', field: 'path', message: sandboxHandlerText.tooMany(handlersMax) });
    const handler = { endpointId: freeId(path, [...taken, ...handlers.map(({ endpointId }) => endpointId)]), path };
    const written = await write([...handlers, handler]);
    return written.ok ? ok(handler) : written;
  }

  return {
    all: () => handlers,
    add: (path) => changes.run(() => add(path)),
    remove: (endpointId) => changes.run(() => write(handlers.filter((handler) => handler.endpointId !== endpointId))),
  };
}

/** A list that is missing or was damaged by hand is empty: the files themselves are not concerned. */
async function readList(path: string): Promise<SandboxHandler[]> {
  const text = await readFile(path, 'utf8').catch(() => '[]');
  return handlerList.safeParse(parseJson(text)).data ?? [];
}

async function refusalOf(path: string): Promise<string | null> {
  if (!handlerEndings.includes(extname(path).slice(1).toLowerCase())) return sandboxHandlerText.noHandlerFile;
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true ? null : sandboxHandlerText.noSuchFile(path);
}

/** An id of letters, digits, - and _ from a file's name: `my handler.py` becomes `my-handler`. */
function freeId(path: string, taken: readonly string[]): string {
  const name = basename(path, extname(path))
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+|-+$/g, '')
    .slice(0, 60);
  const id = name === '' ? 'handler' : name;
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? id : `${id}-${number}`;
    if (!taken.includes(candidate)) return candidate;
  }
}
