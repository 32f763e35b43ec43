import { vi } from 'vitest';
import { failed } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { Bridge, CallInput, CallName, CallOutput } from '../../src-preload/contract.ts';

type Answers = { [N in CallName]?: (input: CallInput<N>) => Promise<Result<CallOutput<N>>> };

/**
 * Stands where the preload script puts the bridge: gives the answers it was set up with, a `defect` to all else, and
 * notes what was asked.
 */
export function answerCalls(answers: Answers): { asked: CallName[] } {
  const asked: CallName[] = [];
  const bridge: Bridge = {
    call: (name, input) => {
      asked.push(name);
      return (
        answers[name]?.(input) ?? Promise.resolve(failed({ kind: 'defect', message: `Nothing answers ${name} here.` }))
      );
    },
    on: () => () => {},
  };
  vi.stubGlobal('window', { bridge });
  return { asked };
}
