import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Reported } from './judge.ts';
import type { FromClient, ToClient } from './messages.ts';

type Start = Omit<Extract<ToClient, { kind: 'start' }>, 'kind'>;

export interface Client {
  /** Resolves when it accepts requests. Null if it was killed before. */
  ready: Promise<number | null>;
  /** `said` is its key, or why it refuses. Null if it died before it answered. */
  submit(of: {
    operation: 'run' | 'runsync';
    inputText: string;
    ttlMs: number | null;
    isWatched: boolean;
  }): Promise<{ isTaken: boolean; said: string } | null>;
  live(): Promise<number>;
  /** Sends SIGKILL. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** Ends in order. */
  close(): Promise<void>;
}

export interface ClientParts {
  script: URL;
  start: Start;
  /**
   * Collects what listeners were called with, by key. Within one life the last report counts, because repeated chunks
   * are removed later and reported so. Over all lives the maximum counts.
   */
  reported: Map<string, Reported>;
}

/** Starts a client process. If the process ends without being killed, all pending calls throw. */
export function startClient({ script, start, reported }: ClientParts): Client {
  const startedAt = performance.now();
  const reportedBefore = new Map(reported);
  const child = fork(script, [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const pending = new Map<number, (answer: FromClient | null) => void>();
  const ready = Promise.withResolvers<number | null>();
  let asks = 0;
  let isKilled = false;
  let isClosing = false;
  let defect: Error | null = null;

  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      if (!isKilled && !isClosing) defect = new Error(`${script.pathname} ended by itself with ${code ?? signal}.`);
      for (const settle of pending.values()) settle(null);
      pending.clear();
      ready.resolve(null);
      resolve();
    });
  });
  child.on('message', (message: FromClient) => {
    switch (message.kind) {
      case 'ready':
        return ready.resolve(performance.now() - startedAt);
      case 'reported': {
        const before = reported.get(message.key);
        reported.set(message.key, {
          chunkCount: Math.max(reportedBefore.get(message.key)?.chunkCount ?? 0, message.chunkCount),
          isResultSaved: (before?.isResultSaved ?? false) || message.isResultSaved,
        });
        return;
      }
      default:
        pending.get(message.ask)?.(message);
        pending.delete(message.ask);
    }
  });
  send(child, { kind: 'start', ...start });

  function ask(message: (ask: number) => ToClient): Promise<FromClient | null> {
    if (defect !== null) throw defect;
    if (isKilled) return Promise.resolve(null);
    asks += 1;
    const number = asks;
    return new Promise((resolve) => {
      pending.set(number, resolve);
      send(child, message(number));
    });
  }

  return {
    ready: ready.promise.then((atMs) => {
      if (defect !== null) throw defect;
      return atMs;
    }),
    async submit(of) {
      const answer = await ask((number) => ({ kind: 'submit', ask: number, ...of }));
      return answer?.kind === 'submitted' ? { isTaken: answer.isTaken, said: answer.said } : null;
    },
    async live() {
      const answer = await ask((number) => ({ kind: 'live', ask: number }));
      if (answer?.kind !== 'live') throw defect ?? new Error('The client died while it was at rest.');
      return answer.count;
    },
    async kill() {
      isKilled = true;
      child.kill('SIGKILL');
      await exited;
      if (defect !== null) throw defect;
    },
    async close() {
      isClosing = true;
      await ask((number) => ({ kind: 'close', ask: number }));
      await exited;
    },
  };
}

function send(child: ChildProcess, message: ToClient): void {
  // It may be dead already. Then there is no answer.
  if (child.connected) child.send(message, () => undefined);
}
