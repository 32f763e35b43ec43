import { refusalText } from './messages/refusals.ts';
import type { AppInfo, Preparation, TrackerState } from './app.ts';
import { maxCopiedChars } from './bounds.ts';
import { call, type CallSpec, nothing } from './call-spec.ts';
import { desktopCalls } from './desktop-calls.ts';
import type { EventName, Events } from './events.ts';
import type { Result } from './failure.ts';
import type { StreamChunk } from './job.ts';
import { maxFaults } from './sandbox-bounds.ts';
import { sandboxFault, timeScale } from './sandbox-schema.ts';
import type { PrintedLines } from './printed.ts';
import type { SandboxSight, SandboxState } from './sandbox.ts';
import { seenCalls } from './seen-calls.ts';
import { settings } from './settings-schema.ts';
import type { Settings } from './settings.ts';
import { streamCalls } from './stream-calls.ts';
import type { WebhookReceiverState } from './webhook.ts';
import { z } from 'zod';
import { jobCalls } from './job-calls.ts';
import { binCalls, storageCalls } from './storage-calls.ts';
import { endpointCalls } from './endpoint-calls.ts';
import { podCalls } from './pod-calls.ts';
import { connectionCalls } from './connection-calls.ts';

/**
 * Every call from windows to the engine, as one value: name -> input schema and output type. Main's `Handlers` and the
 * window's `call` are both derived from it, so a missing handler does not compile.
 */
export const calls = {
  'app:info': call<AppInfo>()(nothing),
  /** Answered immediately, while nearly every other call waits until the engine is open. Null: nothing takes long. */
  'app:preparation': call<Preparation | null>()(nothing),
  /** The content of a bug report, for the user to read before copying it: no key, no secret, no job. */
  'app:diagnostics': call<{ text: string }>()(nothing),
  /** Shows Jobdeck's log, or the file with the history, in the file manager. */
  'app:showInFolder': call<null>()(z.object({ file: z.enum(['log', 'history']) })),
  /** Whether this AppImage is in the desktop's menu of applications. Null if Jobdeck is no AppImage. */
  'app:menuEntry': call<{ isAdded: boolean } | null>()(nothing),
  /** Adds the AppImage to the menu and makes it the program for links, or removes it. */
  'app:setMenuEntry': call<null>()(z.object({ isAdded: z.boolean() })),
  'app:openExternal': call<null>()(z.object({ url: z.string().max(4_000) })),
  'app:copyText': call<null>()(z.object({ text: z.string().max(maxCopiedChars) })),
  /** Quits as the menu does, after everything received is saved. */
  'app:quit': call<null>()(nothing),
  /**
   * Copies the running sandbox's address and key to the clipboard as shell lines. The key goes from the engine to the
   * clipboard, never through a window.
   */
  'app:copySandboxEnvironment': call<null>()(nothing),
  ...desktopCalls,
  /** With `atMs`, only that notice: another one about the same may have come since. */
  'notice:dismiss': call<null>()(z.object({ id: z.string().max(100), atMs: z.number().optional() })),

  'settings:get': call<Settings>()(nothing),
  'settings:change': call<Settings>()(settings.partial()),

  'sandbox:state': call<SandboxState>()(nothing),
  'sandbox:stop': call<SandboxState>()(nothing),
  /** Kept while Jobdeck runs, even if the sandbox is stopped. Not kept over restarts. */
  'sandbox:setTimeScale': call<SandboxState>()(z.object({ timeScale })),
  /** Replaces all faults. Kept like the speed. */
  'sandbox:setFaults': call<SandboxState>()(z.object({ faults: z.array(sandboxFault).max(maxFaults) })),
  /**
   * Whether this window shows requests. `sandbox:requestsSeen` and `sandbox:workersSeen` are sent while any window
   * does.
   */
  'sandbox:watch': call<null>()(z.object({ isWatching: z.boolean() })),
  /** The last requests and workers seen. */
  'sandbox:requests': call<SandboxSight>()(nothing),
  /** The last lines that handlers printed. `sandbox:linesPrinted` is sent while any window watches. */
  'sandbox:printed': call<PrintedLines>()(nothing),
  /**
   * Asks for a file with a handler and serves it as an endpoint of the sandbox, which starts again for that if it runs.
   * Null if the user cancels.
   */
  'app:addSandboxHandler': call<SandboxState | null>()(nothing),
  /** Serves this handler no longer. The endpoint stays in the connection, with its jobs. */
  'sandbox:removeHandler': call<SandboxState>()(z.object({ endpointId: z.string().min(1).max(200) })),

  'webhook:state': call<WebhookReceiverState>()(nothing),
  ...streamCalls,
  ...seenCalls,

  'tracker:state': call<TrackerState>()(nothing),
  'tracker:pause': call<TrackerState>()(nothing),
  'tracker:resume': call<TrackerState>()(nothing),
  /** Tries immediately what waits for a next try. */
  'tracker:tryNow': call<TrackerState>()(nothing),
  ...jobCalls,
  ...storageCalls,
  ...binCalls,
  ...endpointCalls,
  ...podCalls,
  ...connectionCalls,
} as const;

type Calls = typeof calls;
export type CallName = keyof Calls;
export type CallInput<N extends CallName> = z.input<Calls[N]['input']>;
export type CallOutput<N extends CallName> = Calls[N] extends CallSpec<z.ZodType, infer O> ? O : never;

/** The sender of a call. */
export interface Caller {
  windowId: number;
}

type Handler<I, O> = (input: I, from: Caller) => Promise<Result<O>> | Result<O>;

interface CallTypes {
  input: unknown;
  output: unknown;
}
type TypesOf = { [N in CallName]: { input: z.output<Calls[N]['input']>; output: CallOutput<N> } };
type HandlerOf<T extends CallTypes> = Handler<T['input'], T['output']>;

/** The handler of one call. */
export type HandlerFor<N extends CallName> = HandlerOf<TypesOf[N]>;

/** One handler for each call, in main. */
export type Handlers = { [N in CallName]: HandlerOf<TypesOf[N]> };

/** How main reads an input: the value, or the first problem. */
type Reader<T extends CallTypes> = (
  input: unknown,
) => { success: true; data: T['input'] } | { success: false; error: z.ZodError };
const specs: { [N in CallName]: { input: { safeParse: Reader<TypesOf[N]> } } } = calls;

/** True for a name of the contract. Uses `Object.hasOwn`, so `toString` is not one. */
export function isCallName(name: unknown): name is CallName {
  return typeof name === 'string' && Object.hasOwn(calls, name);
}

/**
 * Checks `input` against the schema of `name` and runs its handler. An invalid input is a `refused` failure with the
 * field.
 */
export async function dispatch<N extends CallName>(
  handlers: Pick<Handlers, N>,
  name: N,
  input: unknown,
  from: Caller,
): Promise<Result<CallOutput<N>>> {
  const handler: HandlerOf<TypesOf[N]> = handlers[name];
  const read = specs[name].input.safeParse(input);
  if (!read.success) {
    const issue = read.error.issues[0];
    const field = issue?.path.join('.') ?? '';
    return {
      ok: false,
      failure: {
        kind: 'refused',
        message: issue?.message ?? refusalText.invalid,
        ...(field === '' ? {} : { field }),
      },
    };
  }
  return handler(read.data, from);
}

/** The window's side. Preload exposes it as `window.bridge`. */
export interface Bridge {
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<Result<CallOutput<N>>>;
  /** Returns the function that ends the subscription. */
  on<N extends EventName>(name: N, listener: (payload: Events[N]) => void): () => void;
}

/** Sent down a stream's port. The window answers `{ credit: n }` for each message it has drawn. */
export type StreamMessage =
  | { kind: 'chunks'; chunks: StreamChunk[] }
  /** The stored chunks have changed and have other places: all must be read again. */
  | { kind: 'replaced' }
  | { kind: 'ended'; status: string | null }
  | { kind: 'attempt'; attempt: number };

/** Data of the window message that carries a stream's port. */
export interface PortMessage {
  jobdeckPort: string;
}
