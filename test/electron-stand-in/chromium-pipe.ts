import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import type { Protocol } from '../../node_modules/playwright-core/types/protocol.d.ts';
import { chromiumFlags } from '../kit/chromium.ts';

export type { Protocol };
type Parameters = Protocol.CommandParameters;
type Returns = Protocol.CommandReturnValues;
type Events = Protocol.Events;

/** Sends commands to one session of Chromium. */
export type Send = <M extends keyof Parameters>(method: M, params?: Parameters[M]) => Promise<Returns[M]>;

/**
 * A running Chromium, controlled over a pipe. When this process ends for any reason, the pipe closes and Chromium ends
 * too.
 */
export interface Chromium {
  pid: number;
  send<M extends keyof Parameters>(method: M, params?: Parameters[M], sessionId?: string): Promise<Returns[M]>;
  /** `send` for one session. */
  session(sessionId: string): Send;
  /** Listens to one kind of event. `sessionId` undefined means the browser's own. */
  on<M extends keyof Events>(method: M, listener: (params: Events[M], sessionId: string | undefined) => void): void;
  /** Resolves when Chromium's main process has ended. */
  exited: Promise<void>;
  /** The address at which another client (the test) attaches to this same Chromium. */
  endpoint(): Promise<string>;
  /** Kills it. On Linux its main process has ended when this returns, so that its profile can be removed. */
  end(): void;
}

interface Waiting {
  method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Incoming {
  id?: number;
  method?: string;
  params?: unknown;
  sessionId?: string;
  result?: unknown;
  error?: { message: string };
}

/**
 * Starts Chromium with an empty profile in `profileDir`. `onLost` is called if it ends later without being closed.
 * Errors: rejects if it ends before it answers.
 */
export async function startChromium(
  executable: string,
  profileDir: string,
  isHeadless: boolean,
  onLost: () => void,
): Promise<Chromium> {
  const child = spawn(
    executable,
    [
      ...chromiumFlags({
        profileDir,
        isHeadless,
        hasMotion: process.env['ELECTRON_STAND_IN_REDUCED_MOTION'] !== '1',
      }),
      '--remote-debugging-pipe',
      '--remote-debugging-port=0',
      '--no-startup-window',
    ],
    {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // Headless, it needs no desktop services, and must not start any on the test's own bus.
      env: { ...process.env, ...(isHeadless ? { DBUS_SESSION_BUS_ADDRESS: 'disabled:' } : {}) },
    },
  );
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, ((params: never, sessionId: string | undefined) => void)[]>();
  let lastId = 0;
  let said = '';
  let hasStarted = false;
  let isClosing = false;
  let hasEnded = false;

  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + String(chunk)).slice(-4_000);
  });
  const exited = new Promise<void>((resolve) => {
    const end = (): void => {
      hasEnded = true;
      if (hasStarted && !isClosing) onLost();
      for (const one of waiting.values()) one.reject(new Error(`Chromium ended before it answered ${one.method}.`));
      waiting.clear();
      resolve();
    };
    child.once('exit', end);
    child.once('error', (error) => {
      said += error.message;
      end();
    });
  });

  const [, , , toChromium, fromChromium] = child.stdio as [null, null, Readable, Writable, Readable];
  toChromium.on('error', () => {});
  fromChromium.on('error', () => {});
  readMessages(fromChromium, (message) => {
    if (message.id !== undefined) {
      const one = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error === undefined) one?.resolve(message.result);
      else one?.reject(new Error(`${one.method}: ${message.error.message}`));
      return;
    }
    for (const listener of listeners.get(message.method ?? '') ?? [])
      listener(message.params as never, message.sessionId);
  });

  const chromium: Chromium = {
    pid: child.pid ?? -1,
    exited,
    send: <M extends keyof Parameters>(method: M, params?: Parameters[M], sessionId?: string) =>
      new Promise<Returns[M]>((resolve, reject) => {
        if (hasEnded) {
          reject(new Error(`Chromium has ended, so it cannot do ${method}.`));
          return;
        }
        lastId += 1;
        waiting.set(lastId, { method, resolve: (result) => resolve(result as Returns[M]), reject });
        toChromium.write(
          `${JSON.stringify({ id: lastId, method, params: params ?? {}, ...(sessionId === undefined ? {} : { sessionId }) })}\0`,
        );
      }),
    session: (sessionId) => (method, params) => chromium.send(method, params, sessionId),
    on(method, listener) {
      listeners.set(method, [...(listeners.get(method) ?? []), listener]);
    },
    async endpoint() {
      for (let tries = 0; tries < 200 && child.exitCode === null && child.signalCode === null; tries += 1) {
        const [port, path] = readPort(profileDir);
        if (port !== undefined && path !== undefined && path !== '') return `ws://127.0.0.1:${port}${path}`;
        await delay(25);
      }
      throw new Error(`Chromium named no debugging port. It said: ${said}`);
    },
    end() {
      isClosing = true;
      child.kill('SIGKILL');
      const turn = new Int32Array(new SharedArrayBuffer(4));
      for (let tries = 0; tries < 200 && hasProcess(child.pid ?? -1); tries += 1) Atomics.wait(turn, 0, 0, 5);
    },
  };
  try {
    await chromium.send('Browser.getVersion');
    hasStarted = true;
  } catch {
    throw new Error(`Chromium (${executable}) did not start. It said: ${said}`);
  }
  return chromium;
}

/** Whether Linux still has this process. One that ended and was not collected by its parent does not count. */
function hasProcess(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !stat.slice(stat.lastIndexOf(')')).startsWith(') Z');
  } catch {
    return false;
  }
}

/** Chromium writes its port and path to this file when it listens. */
function readPort(profileDir: string): string[] {
  try {
    return readFileSync(join(profileDir, 'DevToolsActivePort'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Messages on the pipe are JSON, each ended by a zero byte. */
function readMessages(stream: Readable, take: (message: Incoming) => void): void {
  let parts: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      parts.push(chunk.subarray(from, end));
      const text = parts.length === 1 ? String(parts[0]) : String(Buffer.concat(parts));
      parts = [];
      from = end + 1;
      take(JSON.parse(text) as Incoming);
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  });
}
