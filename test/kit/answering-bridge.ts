import { vi } from 'vitest';
import { failed } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { Bridge, CallInput, CallName, CallOutput } from '../../src-preload/contract.ts';
import type { EventName, Events } from '../../src-preload/events.ts';

type Answers = { [N in CallName]?: (input: CallInput<N>) => Promise<Result<CallOutput<N>>> };
type Listeners = { [N in EventName]?: (payload: Events[N]) => void };

/**
 * Installs a bridge as the preload script would. It gives the answers it was set up with, answers everything else with
 * a `defect`, and notes the calls that were made. `listeners` has what listens by now: the test calls it as main does.
 */
export function answerCalls(answers: Answers): { calls: CallName[]; listeners: Listeners } {
  const calls: CallName[] = [];
  const listeners: Listeners = {};
  const bridge: Bridge = {
    call: (name, input) => {
      calls.push(name);
      return (
        answers[name]?.(input) ?? Promise.resolve(failed({ kind: 'defect', message: `Nothing answers ${name} here.` }))
      );
    },
    on: (name, listener) => {
      const before: Listeners[typeof name] = listeners[name];
      const all: typeof listener = (payload) => {
        before?.(payload);
        listener(payload);
      };
      Object.assign(listeners, { [name]: all });
      return () => {};
    },
  };
  vi.stubGlobal('window', { bridge });
  return { calls, listeners };
}
