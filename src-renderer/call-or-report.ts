import type { CallInput, CallName } from '../src-preload/contract.ts';
import type { Result } from '../src-preload/failure.ts';
import { call } from './bridge.ts';
import { toast } from './design/toast.tsx';

/** Calls the engine for a press or a key. A failure is shown as a toast. */
export function callOrReport<N extends CallName>(name: N, input: CallInput<N>): void {
  void call(name, input).then(orReport);
}

/** Returns the result. If it is a failure that has no place of its own on screen, it is shown as a toast. */
export function orReport<T>(result: Result<T>): Result<T> {
  if (!result.ok) toast(result.failure.message);
  return result;
}

/** Informs the engine about what is on screen or was seen. If that fails nothing is lost, so the failure is ignored. */
export function hint<N extends CallName>(name: N, input: CallInput<N>): void {
  void call(name, input);
}
