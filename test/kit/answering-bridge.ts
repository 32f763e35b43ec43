import { vi } from 'vitest';
import { failed } from '../../src-preload/failure.ts';
import type { Result } from '../../src-preload/failure.ts';
import type { Bridge, CallInput, CallName, CallOutput } from '../../src-preload/contract.ts';

type Answers = { [N in CallName]?: (input: CallInput<N>) => Promise<Result<CallOutput<N>>> };

/**
 * Installs a bridge as the preload script would. It gives the answers it was set up with, answers everything else with
 * a `defect`, and notes the calls that were made.
 */
export function answerCalls(answers: Answers): { calls: CallName[] } {
  const calls: CallName[] = [];
  const bridge: Bridge = {
    call: (name, input) => {
      calls.push(name);
      return (
        answers[name]?.(input) ?? Promise.resolve(failed({ kind: 'defect', message: `Nothing answers ${name} here.` }))
      );
    },
    on: () => () => {},
  };
  vi.stubGlobal('window', { bridge });
  return { calls };
}
