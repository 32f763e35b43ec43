import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../src-main/sandbox/clock.ts';
import { createSandbox } from '../../src-main/sandbox/sandbox.ts';
import type { Sandbox } from '../../src-main/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../src-main/sandbox/sandbox-options.ts';
import { threadScript } from './threads.ts';

/** The key of every sandbox that a test starts, unless the test gives another. */
export const TEST_API_KEY = 'test-key-0123456789';

/** Starts a sandbox in this process on a free port of 127.0.0.1. The test closes it. */
export function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return createSandbox({ port: 0, apiKey: TEST_API_KEY, workerUrl: threadScript('sandboxHandler'), ...options });
}

/** Returns what reads the changes of state since now. For tests that share a sandbox with others. */
export function transitionsSinceNow(sandbox: Sandbox): () => ReturnType<Sandbox['transitions']> {
  const before = sandbox.transitions().length;
  return () => sandbox.transitions().slice(before);
}

/** The line that the command line prints when it is ready. */
export interface ReadyLine {
  base_url: string;
  rest_url: string;
  api_key: string;
  endpoints: string[];
  pods: string[];
  templates: string[];
}

export interface SandboxProcess {
  ready: ReadyLine;
  /** Ends the process with SIGKILL, like a crash, or with the given signal. Resolves when it is gone. */
  kill(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const CLI = fileURLToPath(new URL('../../src-main/sandbox/cli.ts', import.meta.url));

/** Starts the sandbox's command line as a process. Rejects if it ends before it is ready. */
export async function startSandboxProcess(
  options: { port?: number; apiKey?: string; args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<SandboxProcess> {
  const { port = 0, apiKey = TEST_API_KEY, args = [], env = {} } = options;
  const child = spawn(process.execPath, [CLI, '--port', String(port), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The environment that the test runner sets for its own processes must not affect this one.
    env: { ...process.env, NODE_OPTIONS: '', JOBDECK_SANDBOX_KEY: apiKey, ...env },
  });
  const endWithParent = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithParent);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => {
      process.off('exit', endWithParent);
      resolve({ code, signal });
    });
  });
  const firstLine = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).once('line', resolve);
  });
  const line = await Promise.race([
    firstLine,
    exited.then(({ code }) => Promise.reject(new Error(`The sandbox ended with code ${code}: ${errors}`))),
  ]);
  const ready: ReadyLine = JSON.parse(line);
  return {
    ready,
    kill: (signal = 'SIGKILL') => {
      child.kill(signal);
      return exited;
    },
  };
}

/** A clock that stands still until it is advanced. Due timers then run in order, each at its own time. */
export interface VirtualClock extends Clock {
  advance(byMs: number): void;
  /** Timers that still wait: 0 if nothing was left behind. */
  pendingTimers(): number;
}

export function createVirtualClock(startMs = 1_700_000_000_000): VirtualClock {
  const timers = new Map<number, { atMs: number; callback: () => void }>();
  let nowMs = startMs;
  let lastId = 0;
  const nextDue = (untilMs: number): number | undefined => {
    let due: number | undefined;
    for (const [id, { atMs }] of timers) {
      const earliest = due === undefined ? untilMs + 1 : (timers.get(due)?.atMs ?? 0);
      if (atMs < earliest) due = id;
    }
    return due;
  };
  return {
    now: () => nowMs,
    setTimeout: (callback, delayMs) => {
      lastId += 1;
      timers.set(lastId, { atMs: nowMs + Math.max(0, delayMs), callback });
      return lastId;
    },
    clearTimeout: (timer) => void timers.delete(Number(timer)),
    advance: (byMs) => {
      const untilMs = nowMs + byMs;
      for (let id = nextDue(untilMs); id !== undefined; id = nextDue(untilMs)) {
        const timer = timers.get(id);
        timers.delete(id);
        nowMs = Math.max(nowMs, timer?.atMs ?? nowMs);
        timer?.callback();
      }
      nowMs = untilMs;
    },
    pendingTimers: () => timers.size,
  };
}
