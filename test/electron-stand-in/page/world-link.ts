/** One world's end of the link between a page's own world and the preload's isolated world. */
export interface WorldLink {
  /** Gives `api` to the other world under `key`. The isolated world calls this. */
  expose(key: string, api: unknown): void;
}

type Packed =
  | { kind: 'value'; value: unknown }
  | { kind: 'function'; id: number }
  | { kind: 'promise'; id: number }
  | { kind: 'error'; message: string; stack: string | undefined }
  | { kind: 'array'; items: Packed[] }
  | { kind: 'object'; entries: [string, Packed][] };

type Word =
  | { type: 'expose'; key: string; api: Packed }
  | { type: 'call'; call: number; fn: number; args: Packed[] }
  | { type: 'return'; call: number; ok: boolean; value: Packed }
  | { type: 'settle'; promise: number; ok: boolean; value: Packed };

/**
 * An approximation of contextBridge (`keptBack` objects cross as `{}`, as Electron does with ipcRenderer). Values cross
 * by structured clone; functions and promises cross as stand-ins that call back. The worlds share only the document, so
 * messages are events whose names only these two scripts know. Runs as source text in both worlds, so it must not use
 * anything outside itself.
 */
export function createWorldLink(
  names: { say: string; hear: string },
  onExpose: (key: string, api: unknown) => void,
  keptBack: WeakSet<object>,
): WorldLink {
  const page = document;
  const NativePromise = Promise;
  const makeEvent = (word: Word): Event => new CustomEvent(names.say, { detail: word });
  const dispatch = page.dispatchEvent.bind(page);

  const ownFunctions: ((...args: unknown[]) => unknown)[] = [];
  const ownIds = new WeakMap<object, number>();
  const foreignFunctions = new Map<number, WeakRef<(...args: unknown[]) => unknown>>();
  const pendingPromises = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  const returns = new Map<number, { ok: boolean; value: Packed }>();
  let lastCall = 0;
  let lastPromise = 0;

  const isPlain = (value: object): boolean => {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
  };
  const holdsLive = (value: unknown, depth: number): boolean => {
    if (typeof value === 'function') return true;
    if (typeof value !== 'object' || value === null || depth > 100) return false;
    if (value instanceof NativePromise || value instanceof Error) return true;
    if (Array.isArray(value)) return value.some((item) => holdsLive(item, depth + 1));
    return isPlain(value) && Object.values(value).some((item) => holdsLive(item, depth + 1));
  };
  const isFunction = (value: unknown): value is (...args: unknown[]) => unknown => typeof value === 'function';

  /** Electron walks arrays and plain objects recursively, and refuses anything deeper than this. */
  const deepest = 1_000;
  const whyNot = (error: unknown): string =>
    error instanceof TypeError ? error.message : 'An object could not be cloned.';
  const isTooDeep = (value: unknown): boolean => {
    const open: [value: unknown, depth: number][] = [[value, 0]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [one, depth] = next;
      if (depth >= deepest) return true;
      if (typeof one !== 'object' || one === null) continue;
      if (Array.isArray(one) || isPlain(one)) for (const item of Object.values(one)) open.push([item, depth + 1]);
    }
    return false;
  };

  const pack = (value: unknown): Packed => {
    if (isTooDeep(value))
      throw new TypeError(
        'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.',
      );
    if (typeof value === 'object' && value !== null && keptBack.has(value)) return { kind: 'object', entries: [] };
    if (isFunction(value)) {
      let id = ownIds.get(value);
      if (id === undefined) {
        id = ownFunctions.push(value) - 1;
        ownIds.set(value, id);
      }
      return { kind: 'function', id };
    }
    if (value instanceof NativePromise) {
      lastPromise += 1;
      const promise = lastPromise;
      value.then(
        (result) => settle(promise, true, result),
        (error: unknown) => settle(promise, false, error),
      );
      return { kind: 'promise', id: promise };
    }
    if (value instanceof Error) return { kind: 'error', message: value.message, stack: value.stack };
    if (!holdsLive(value, 0)) return { kind: 'value', value: structuredClone(value) };
    if (Array.isArray(value)) return { kind: 'array', items: value.map(pack) };
    return {
      kind: 'object',
      entries: Object.entries(value as object).map(([key, item]): [string, Packed] => [key, pack(item)]),
    };
  };
  const unpack = (packed: Packed): unknown => {
    switch (packed.kind) {
      case 'value':
        return packed.value;
      case 'array':
        return packed.items.map(unpack);
      case 'object':
        return Object.fromEntries(packed.entries.map(([key, item]) => [key, unpack(item)]));
      case 'error': {
        const error = new Error(packed.message);
        if (packed.stack !== undefined) error.stack = packed.stack;
        return error;
      }
      case 'promise':
        return new NativePromise((resolve, reject) => pendingPromises.set(packed.id, { resolve, reject }));
      case 'function': {
        const known = foreignFunctions.get(packed.id)?.deref();
        if (known !== undefined) return known;
        const made = (...args: unknown[]): unknown => callOther(packed.id, args);
        foreignFunctions.set(packed.id, new WeakRef(made));
        return made;
      }
    }
  };
  const say = (word: Word): void => {
    dispatch(makeEvent(word));
  };
  const settle = (promise: number, ok: boolean, value: unknown): void => {
    try {
      say({ type: 'settle', promise, ok, value: pack(value) });
    } catch (error) {
      say({ type: 'settle', promise, ok: false, value: { kind: 'error', message: whyNot(error), stack: undefined } });
    }
  };
  // dispatchEvent runs the other world's listener before it returns, so a call returns synchronously, as over
  // contextBridge.
  const callOther = (fn: number, args: unknown[]): unknown => {
    lastCall += 1;
    const call = lastCall;
    let packedArgs: Packed[];
    try {
      packedArgs = args.map(pack);
    } catch (error) {
      throw new Error(whyNot(error), { cause: error });
    }
    say({ type: 'call', call, fn, args: packedArgs });
    const answer = returns.get(call);
    returns.delete(call);
    if (answer === undefined) throw new Error('The other world of this page is gone.');
    const value = unpack(answer.value);
    if (!answer.ok) throw value;
    return value;
  };

  page.addEventListener(names.hear, (event) => {
    if (!(event instanceof CustomEvent)) return;
    const word = event.detail as Word;
    if (word.type === 'expose') onExpose(word.key, unpack(word.api));
    else if (word.type === 'return') returns.set(word.call, { ok: word.ok, value: word.value });
    else if (word.type === 'settle') {
      const pending = pendingPromises.get(word.promise);
      pendingPromises.delete(word.promise);
      if (word.ok) pending?.resolve(unpack(word.value));
      else pending?.reject(unpack(word.value));
    } else {
      let ok = true;
      let value: Packed;
      try {
        value = pack(ownFunctions[word.fn]?.(...word.args.map(unpack)));
      } catch (error) {
        ok = false;
        value = error instanceof Error ? { kind: 'error', message: error.message, stack: error.stack } : pack(error);
      }
      say({ type: 'return', call: word.call, ok, value });
    }
  });

  return {
    expose(key, api) {
      say({ type: 'expose', key, api: pack(api) });
    },
  };
}
