import { failed, type Result } from '../src-preload/failure.ts';
import type { Bridge, CallInput, CallName, CallOutput, PortMessage, StreamMessage } from '../src-preload/contract.ts';
import { bridgeText } from './messages/design.ts';

declare global {
  interface Window {
    /** Set by the preload script. Absent only if the page is opened outside of Jobdeck. */
    readonly bridge?: Bridge;
  }
}

/** Calls the engine. Never throws: a broken bridge returns a `defect` failure. */
export async function call<N extends CallName>(name: N, input: CallInput<N>): Promise<Result<CallOutput<N>>> {
  if (window.bridge === undefined)
    return failed({
      kind: 'defect',
      message: bridgeText.noBridge,
    });
  try {
    return await window.bridge.call(name, input);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return failed({ kind: 'defect', message: bridgeText.noAnswer, detail });
  }
}

/** Listens to an event of the engine. Returns the function that stops listening. */
export const on: Bridge['on'] = (name, listener) => window.bridge?.on(name, listener) ?? (() => {});

/** Runs once, in the next frame, or after 100 ms if the window draws no frames (hidden or minimised). */
function inNextFrame(run: () => void): void {
  let isDone = false;
  const once = (): void => {
    if (isDone) return;
    isDone = true;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, 100);
}

function isPortMessage(data: unknown, subscriptionId: string): data is PortMessage {
  return typeof data === 'object' && data !== null && 'jobdeckPort' in data && data.jobdeckPort === subscriptionId;
}

/** How long stream messages may be processed per frame. What they change is drawn in that frame. */
const takingMs = 6;

export interface StreamWanted {
  key: string;
  attempt: number;
}

/**
 * Listens to the stream of one attempt. Messages are processed once a frame, as many as there is time for, and each is
 * answered with one credit. So a window draws once for all of them, and a slow window slows only its own stream.
 * `onFailure` gets the reason why the stream could not be opened. Returns a function that unsubscribes.
 */
export function openStream(
  wanted: StreamWanted,
  onMessage: (message: StreamMessage) => void,
  onFailure?: (message: string) => void,
): () => void {
  const subscriptionId = crypto.randomUUID();
  let port: MessagePort | null = null;
  let isClosed = false;

  const waiting: StreamMessage[] = [];
  let isScheduled = false;
  const schedule = (): void => {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    inNextFrame(take);
  };
  const take = (): void => {
    isScheduled = false;
    const untilMs = performance.now() + takingMs;
    do {
      const message = waiting.shift();
      if (message === undefined || isClosed) return;
      onMessage(message);
      port?.postMessage({ credit: 1 });
    } while (performance.now() < untilMs);
    schedule();
  };
  const handle = (event: MessageEvent<StreamMessage>): void => {
    waiting.push(event.data);
    schedule();
  };
  const takePort = (event: MessageEvent<unknown>): void => {
    if (!isPortMessage(event.data, subscriptionId)) return;
    window.removeEventListener('message', takePort);
    const given = event.ports[0];
    if (given === undefined) return;
    if (isClosed) {
      given.close();
      return;
    }
    port = given;
    port.onmessage = handle;
  };
  window.addEventListener('message', takePort);

  void call('stream:subscribe', { ...wanted, subscriptionId }).then((result) => {
    if (!result.ok && !isClosed) {
      window.removeEventListener('message', takePort);
      onFailure?.(result.failure.message);
    }
  });

  return () => {
    isClosed = true;
    window.removeEventListener('message', takePort);
    port?.close();
    port = null;
  };
}
