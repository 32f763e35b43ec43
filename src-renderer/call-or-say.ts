import type { CallInput, CallName } from '../src-preload/contract.ts';
import type { Result } from '../src-preload/failure.ts';
import { call } from './bridge.ts';
import { toast } from './design/toast.tsx';

/**
 * Has something done that was asked for by a press or a key; where it could not be done, the reason is said in passing.
 */
export function callOrSay<N extends CallName>(name: N, input: CallInput<N>): void {
  void call(name, input).then(orSay);
}

/** The result as it is; a failure that has no place of its own on screen is said in passing. */
export function orSay<T>(result: Result<T>): Result<T> {
  if (!result.ok) toast(result.failure.message);
  return result;
}

/**
 * Tells the engine what it does well to know: what is on view, what was seen. Where that fails nothing is lost, so
 * nothing is said.
 */
export function hint<N extends CallName>(name: N, input: CallInput<N>): void {
  void call(name, input);
}
