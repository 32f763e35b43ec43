import type { History } from '../../../../src-main/history/history.ts';
import { transactionModes } from '../../../../src-main/history/protocol.ts';
import type { QueueApi } from '../../../../src-main/service/reply.ts';

/** Where an engine stops: after this many writes. `isNextBegun`: it still does what it does before the next write. */
export interface CrashPoint {
  writes: number;
  isNextBegun: boolean;
}

/** Between an engine and its disk and service. When the crash comes, nothing passes any more in either direction. */
export interface WriteDoor {
  wrapHistory(history: History): History;
  wrapApi(api: QueueApi): QueueApi;
  isCrashed(): boolean;
  /** Resolves when it crashed. */
  crashed: Promise<void>;
  /** Closes the history behind it, of an engine that did not start. */
  close(): Promise<void>;
  /** The names of the writes that passed, in order. */
  writes: readonly string[];
}

export function createWriteDoor(point: CrashPoint): WriteDoor {
  const writes: string[] = [];
  let isCrashed = false;
  const crash = Promise.withResolvers<void>();
  let close = (): Promise<void> => Promise.resolve();
  const modes: Record<string, string> = transactionModes;

  function end(): void {
    isCrashed = true;
    crash.resolve();
  }

  function refuse(): Promise<never> {
    return Promise.reject(new Error('Jobdeck crashed here.'));
  }

  async function answered<T>(answer: Promise<T>, isLast: boolean): Promise<T> {
    const value = await answer;
    // The answer to the last write never comes back.
    if (isLast) end();
    return isCrashed ? await refuse() : value;
  }

  return {
    writes,
    isCrashed: () => isCrashed,
    crashed: crash.promise,
    close: () => close(),
    wrapHistory: (history) => {
      close = () => history.close();
      return new Proxy(history, {
        get(target, name, receiver) {
          const member: unknown = Reflect.get(target, name, receiver);
          if (typeof member !== 'function' || typeof name !== 'string' || name === 'close') return member;
          return (...args: unknown[]) => {
            if (isCrashed) return refuse();
            const isWrite = modes[name] === 'in-transaction';
            if (isWrite && writes.length === point.writes) {
              end();
              return refuse();
            }
            if (isWrite) writes.push(name);
            const isLast = isWrite && writes.length === point.writes && !point.isNextBegun;
            const answer: unknown = Reflect.apply(member, target, args);
            return answer instanceof Promise ? answered(answer, isLast) : answer;
          };
        },
      });
    },
    wrapApi: (api) =>
      new Proxy(api, {
        get(target, name, receiver) {
          const member: unknown = Reflect.get(target, name, receiver);
          if (typeof member !== 'function') return member;
          return (...args: unknown[]) => {
            if (isCrashed) return refuse();
            const answer: unknown = Reflect.apply(member, target, args);
            return answer instanceof Promise ? answered(answer, false) : answer;
          };
        },
      }),
  };
}
