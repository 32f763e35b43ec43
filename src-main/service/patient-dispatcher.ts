/** What fetch needs of undici's dispatcher. */
interface Dispatcher {
  dispatch(options: object, handler: unknown): unknown;
}

/** Where Node keeps the dispatcher that its fetch uses; the same symbol in every undici, made for sharing it. */
const sharedDispatcher = Symbol.for('undici.globalDispatcher.1');

/**
 * The shared dispatcher without undici's own time limits. Those end every request after 300 s without headers, which
 * is the very time a runsync may wait (spec: wait at most 300000 ms), so that its reply, and with it the job's id,
 * would be lost. Every request has a deadline of its own instead. Undefined where there is no shared dispatcher.
 */
export function patientDispatcher(): Dispatcher | undefined {
  const shared: unknown = Reflect.get(globalThis, sharedDispatcher);
  if (!isDispatcher(shared)) return undefined;
  return { dispatch: (options, handler) => shared.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler) };
}

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof value === 'object' && value !== null && 'dispatch' in value && typeof value.dispatch === 'function';
}
